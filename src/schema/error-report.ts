import type { Outcome } from './result.ts';
import type { Run } from './run.ts';

/** Says of outcomes of a run whether the error-handling metric, where there is one, saw an error report for an answer. */
export function createErrorReportTest(run: Pick<Run, 'metrics'>): (outcome: Outcome) => boolean {
  const metric = run.metrics.find(({ use }) => use.use === 'error-handling')?.name;
  if (metric === undefined) return () => false;
  return ({ trial, verdicts }) => {
    const verdict = verdicts[metric];
    return trial.status === 'completed' && verdict?.status === 'scored' && verdict.passed === false;
  };
}
