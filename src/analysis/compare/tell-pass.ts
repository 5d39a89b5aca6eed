import { truthOf } from '../../schema/criterion-truth.ts';
import type { Outcome } from '../../schema/result.ts';
import type { Run } from '../../schema/run.ts';
import { ofAnswer } from '../targets/comparison-measures.ts';

/**
 * How a run tells whether an outcome passed: by its scorecard, else by the metric that the comparison rests on where that is
 * true or false. Undefined for what was not measured.
 */
export function tellPass(run: Run, metric: string | undefined): (outcome: Outcome) => boolean | undefined {
  if (run.scorecard !== null) {
    return ofAnswer(({ scorecard }) =>
      typeof scorecard?.total === 'number' ? scorecard.passed === true : undefined,
    );
  }
  if (metric === undefined) return () => undefined;
  return ofAnswer(({ verdicts }) => {
    const truth = truthOf({}, verdicts[metric]);
    return truth === 'true' || truth === 'false' ? truth === 'true' : undefined;
  });
}
