import { truthOf } from '../../schema/criterion-truth.ts';
import type { Outcome } from '../../schema/result.ts';
import type { RunScorecard } from '../../schema/run.ts';
import type { Criterion } from '../../schema/scorecard-result.ts';
import type { CriterionSummary, TargetSummary } from '../../schema/summary.ts';
import { type ClusterNumbers, createClusterNumbers } from './cluster-numbers.ts';
import { createShareTally } from './tally-trials.ts';

/** Counts the outcomes of trials, and which criteria they did not meet. */
export function createOutcomeTally(
  { outcomes = [], criteria }: RunScorecard,
  attempts: number,
  clusters: ClusterNumbers = createClusterNumbers(),
) {
  const rules = outcomes.map(({ outcome }) => ({
    outcome,
    trials: 0,
    share: createShareTally(attempts, clusters),
  }));
  const ofCriteria = criteria.map((criterion) =>
    createCriterionTally(criterion, createShareTally(attempts, clusters)),
  );
  return {
    add: (result: Outcome): void => {
      if (result.trial.status === 'cancelled' || result.scorecard === null) return;
      for (const criterion of ofCriteria) criterion.add(result);
      const outcome = result.scorecard.outcome ?? null;
      if (outcome === null) return;
      for (const rule of rules) {
        const isThis = rule.outcome === outcome;
        rule.trials += Number(isThis);
        rule.share.add(result, isThis);
      }
    },
    summarize: (): Required<Pick<TargetSummary, 'outcomes' | 'criteria'>> => ({
      outcomes: rules.map(({ outcome, trials, share }) => ({ outcome, trials, share: share.estimate() })),
      criteria: ofCriteria.map((criterion) => criterion.summarize()),
    }),
  };
}

function createCriterionTally(criterion: Criterion, share: ReturnType<typeof createShareTally>) {
  const counts = { unmet: 0, measured: 0, notApplicable: 0, notMeasured: 0 };
  return {
    add: (outcome: Outcome): void => {
      const truth = truthOf(criterion, outcome.verdicts[criterion.metric]);
      if (truth === 'not-applicable') counts.notApplicable += 1;
      else if (truth === 'not-measured') counts.notMeasured += 1;
      else {
        const isUnmet = (truth === 'true') === (criterion.negative === true);
        counts.measured += 1;
        counts.unmet += Number(isUnmet);
        share.add(outcome, isUnmet);
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
