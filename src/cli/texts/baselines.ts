import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import { formatPercent, formatPlural } from '../../look/report/format.ts';
import type { Baseline } from '../../core/schema/decision.ts';

/** Lists baselines, a line each. */
export function baselineList(baselines: readonly Baseline[]): string {
  const lines = baselines.map(
    (each) =>
      `${each.name}  run ${each.run.id}, ${each.run.createdAt.slice(0, 10)}: ${describeBaseline(each)}`,
  );
  const none = 'No baselines yet: `touchstone baseline set main` makes one from the last run.';
  return `${(lines.length === 0 ? [none] : lines).map(toTerminalText).join('\n')}\n`;
}

/** Describes the scores of a baseline. */
export function describeBaseline({ targets }: Baseline): string {
  return targets
    .map(({ name, cases }) => {
      const scores = cases.flatMap(({ score }) => (score === null ? [] : [score]));
      const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
      const open = scores.length === cases.length ? '' : `, ${cases.length - scores.length} without a score`;
      return `${name} ${formatPercent(mean)} of ${formatPlural(cases.length, 'question')}${open}`;
    })
    .join('; ');
}
