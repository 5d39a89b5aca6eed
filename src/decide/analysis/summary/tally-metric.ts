import type { Outcome } from '../../../core/schema/result.ts';
import type { MetricSummary } from '../../../core/schema/summary.ts';
import { isJudgeFault, passedBy, type VerdictNumbers } from '../../../core/schema/verdict.ts';
import { createCaseMeans } from './case-means.ts';
import { estimateMean } from './estimates.ts';
import { percentilesOf } from './percentiles.ts';
import type { TrialPlan } from './tally-trials.ts';

/** Creates a tally that averages one metric over the trials of a target and counts missing verdicts. */
export function createMetricTally(
  metric: string,
  {
    planned,
    attempts,
    clusters,
    isJudged,
  }: Pick<TrialPlan, 'planned' | 'attempts' | 'clusters'> & { readonly isJudged: boolean },
) {
  const counts = { scored: 0, notApplicable: 0, failed: 0 };
  const judged = { answers: 0, passes: 0 };
  const judgedWeights = { answers: 0, passes: 0 };
  const means = createCaseMeans(attempts, clusters);
  const quantities: number[] = [];
  let unit: string | undefined;
  const labels = new Map<string, number>();
  let judgeFaults = 0;
  let notNeeded = 0;

  return {
    add: (outcome: Outcome): void => {
      notNeeded += outcome.notNeeded ?? 0;
      const verdict = outcome.verdicts[metric];
      if (verdict === undefined) return;
      if (verdict.status === 'not-applicable') counts.notApplicable += 1;
      else if (verdict.status === 'failed') {
        counts.failed += 1;
        if (isJudgeFault(verdict)) judgeFaults += 1;
      } else {
        counts.scored += 1;
        countVerdict(judged, outcome, verdict);
        const weight = clusters.weightOf(outcome.case);
        if (weight !== undefined) countVerdict(judgedWeights, outcome, verdict, weight);
        means.add(outcome, verdict.value);
        if (verdict.label !== undefined) labels.set(verdict.label, (labels.get(verdict.label) ?? 0) + 1);
        if (verdict.unit === undefined) return;
        unit = verdict.unit;
        quantities.push(verdict.value);
      }
    },
    summarize: (): MetricSummary => {
      const summary: MetricSummary = {
        metric,
        unit,
        estimate: estimateMean(means, unit),
        planned: planned - notNeeded,
        ...counts,
        ...(judgeFaults > 0 && { judgeFaults }),
        ...(isJudged && { judged: { ...judged, ...rateOf(judgedWeights) } }),
        ...(labels.size > 0 && { labels: Object.fromEntries([...labels].toSorted(byName)) }),
      };
      return quantities.length === 0
        ? summary
        : { ...summary, percentiles: percentilesOf(Float64Array.from(quantities), means.moments()) };
    },
  };
}

/** Counts a verdict on an answer, and whether it passed; a trial without an answer does not count. */
function countVerdict(
  counts: { answers: number; passes: number },
  { trial }: Outcome,
  verdict: VerdictNumbers,
  weight = 1,
): void {
  const passed = passedBy(verdict);
  if (trial.status !== 'completed' || passed === null) return;
  counts.answers += weight;
  counts.passes += passed ? weight : 0;
}

/** Returns the share of passes by weight; nothing where all cases weigh the same. */
function rateOf({ answers, passes }: { answers: number; passes: number }): { rate?: number } {
  return answers === 0 ? {} : { rate: passes / answers };
}

/** Compares names, so that the order does not depend on which trial came first. */
function byName([name]: [string, number], [other]: [string, number]): number {
  return name < other ? -1 : 1;
}
