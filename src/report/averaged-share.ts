import type { ReportedTarget } from './findings.ts';
import { formatPercent } from './format/format-number.ts';
import { calledCount, errorCount } from './headline.ts';

/**
 * What has to be said of shares that stand beside counts of trials and are not their quotient: the attempts at a question are
 * averaged first, so a question with fewer of them counts as much as any other. Undefined where all agree.
 */
export function averagedNote({ run, target }: ReportedTarget): string | undefined {
  const { counts, passRate, errorRate, outcomes = [], criteria = [] } = target;
  if (run.attempts === 1) return undefined;
  const withOutcome = outcomes.reduce((sum, { trials }) => sum + trials, 0);
  const shares = [
    ...(run.scorecard === null ? [] : [{ count: counts.passed, of: counts.measured, share: passRate }]),
    { count: errorCount(counts), of: calledCount(counts), share: errorRate },
    ...outcomes.map(({ trials, share }) => ({ count: trials, of: withOutcome, share })),
    ...criteria.map(({ unmet, measured, share }) => ({ count: unmet, of: measured, share })),
  ];
  const isAveraged = shares.some(
    ({ count, of, share: { value } }) =>
      value !== null && of > 0 && formatPercent(count / of) !== formatPercent(value),
  );
  return isAveraged
    ? 'Counts are of attempts; shares are means over questions, each with its attempts averaged first.'
    : undefined;
}
