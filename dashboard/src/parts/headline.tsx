import { headlineParts } from '../../../src/report/headline.ts';
import type { Run } from '../../../src/schema/run.ts';
import type { TargetSummary } from '../../../src/schema/summary.ts';
import { PlainText } from './plain-text.tsx';

/** The options of {@link Headline}. */
interface HeadlineOptions {
  readonly run: Run;
  readonly target: TargetSummary;
}

/** The headline of a target: score and interval large, below them n, what is missing, worst and best case. */
export function Headline({ run, target }: HeadlineOptions) {
  const [score = '', ...parts] = headlineParts(target, run);
  const [value = '', interval] = score.split(/ (?=\[)/);
  return (
    <div>
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="text-4xl font-semibold tracking-tight">{value}</span>
        {interval !== undefined && <span className="text-lg text-quiet">{interval}</span>}
      </p>
      <p className="mt-1 text-quiet">
        <PlainText text={parts.join(' · ')} />
      </p>
    </div>
  );
}
