import { createNumberList } from '../../lib/number-list.ts';
import type { Outcome } from '../../schema/result.ts';
import type { MetricSummary } from '../../schema/summary.ts';
import { isJudgeFault } from '../../schema/verdict.ts';
import { createCaseMeans } from './case-means.ts';
import { percentilesOf } from './percentiles-of.ts';
import type { TrialPlan } from './tally-trials.ts';
import { estimateMean } from './to-estimate.ts';

/** Averages one metric over the trials of a target, and counts what it could not say. */
export function createMetricTally(
  metric: string,
  { planned, attempts, clusters }: Pick<TrialPlan, 'planned' | 'attempts' | 'clusters'>,
) {
  const counts = { scored: 0, notApplicable: 0, failed: 0 };
  const means = createCaseMeans(attempts, clusters);
  const quantities = createNumberList();
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
        means.add(outcome, verdict.value);
        if (verdict.label !== undefined) labels.set(verdict.label, (labels.get(verdict.label) ?? 0) + 1);
        if (verdict.unit === undefined) return;
        unit = verdict.unit;
        quantities.push(verdict.value);
      }
    },
    summarize: (): MetricSummary => {
      const moments = means.moments();
      const summary: MetricSummary = {
        metric,
        unit,
        estimate: estimateMean(moments, { unit, truths: means.truths() }),
        planned: planned - notNeeded,
        ...counts,
        ...(judgeFaults > 0 && { judgeFaults }),
        ...(labels.size > 0 && { labels: Object.fromEntries([...labels].toSorted(byName)) }),
      };
      return quantities.length === 0
        ? summary
        : { ...summary, percentiles: percentilesOf(quantities.toArray(), moments) };
    },
  };
}

/** The order does not hang on which trial came first. */
function byName([name]: [string, number], [other]: [string, number]): number {
  return name < other ? -1 : 1;
}
