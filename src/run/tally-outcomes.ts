import { truthOf } from '../schema/criterion-truth.ts';
import type { Outcome } from '../schema/result.ts';
import type { RunScorecard } from '../schema/run.ts';
import type { Criterion } from '../schema/scorecard-result.ts';
import type { CriterionSummary, TargetSummary } from '../schema/summary.ts';
import { createShareTally } from './tally-trials.ts';

/** Counts the outcomes of trials, and which criteria they did not meet. */
export function createOutcomeTally({ outcomes = [], criteria }: RunScorecard, attempts: number) {
  const rules = outcomes.map(({ outcome }) => ({ outcome, trials: 0, share: createShareTally(attempts) }));
  const ofCriteria = criteria.map((criterion) => createCriterionTally(criterion, attempts));
  return {
    add: (result: Outcome): void => {
      if (result.trial.status === 'cancelled' || result.scorecard === null) return;
      for (const criterion of ofCriteria) criterion.add(result);
      const outcome = result.scorecard.outcome ?? null;
      if (outcome === null) return;
      for (const rule of rules) {
        const isThis = rule.outcome === outcome;
        rule.trials += Number(isThis);
        rule.share.add(result.trial.caseId, isThis);
      }
    },
    summarize: (): Required<Pick<TargetSummary, 'outcomes' | 'criteria'>> => ({
      outcomes: rules.map(({ outcome, trials, share }) => ({ outcome, trials, share: share.estimate() })),
      criteria: ofCriteria.map((criterion) => criterion.summarize()),
    }),
  };
}

function createCriterionTally(criterion: Criterion, attempts: number) {
  const counts = { unmet: 0, measured: 0, notApplicable: 0, notMeasured: 0 };
  const share = createShareTally(attempts);
  return {
    add: ({ trial, verdicts }: Outcome): void => {
      const truth = truthOf(criterion, verdicts[criterion.metric]);
      if (truth === 'not-applicable') counts.notApplicable += 1;
      else if (truth === 'not-measured') counts.notMeasured += 1;
      else {
        const isUnmet = (truth === 'true') === (criterion.negative === true);
        counts.measured += 1;
        counts.unmet += Number(isUnmet);
        share.add(trial.caseId, isUnmet);
      }
    },
    summarize: (): CriterionSummary => ({
      criterion: criterion.name,
      weight: criterion.weight,
      ...counts,
      share: share.estimate(),
    }),
  };
}
