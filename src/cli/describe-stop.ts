import { formatPlural } from '../report/format/format-number.ts';
import type { RunStop } from '../schema/run-stop.ts';

/** What is said on the progress view when a limit is reached, or a target is not asked any more. */
export function describeStop({ message, target, failures = [] }: RunStop): string {
  const first = target === undefined ? `Finishing what is in flight: ${message}.` : `Stopped: ${message}.`;
  const kinds = failures.map(
    ({ code, message: said, trials }) =>
      `  ${formatPlural(trials, 'trial')}: ${code}: ${said.split('\n', 1)[0]}`,
  );
  return [first, ...kinds].join('\n');
}
