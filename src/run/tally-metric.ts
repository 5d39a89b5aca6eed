import type { Outcome } from '../schema/result.ts';
import type { MetricSummary } from '../schema/summary.ts';
import { isJudgeFault } from '../schema/verdict.ts';
import { createCaseMeans } from './case-means.ts';
import { percentilesOf } from './percentiles-of.ts';
import { toBoundedEstimate, toEstimate } from './to-estimate.ts';

/** Averages one metric over the trials of a target, and counts what it could not say. */
export function createMetricTally(metric: string, planned: number) {
  const counts = { scored: 0, notApplicable: 0, failed: 0 };
  const means = createCaseMeans();
  const quantities: number[] = [];
  let unit: string | undefined;
  let judgeFaults = 0;

  return {
    add: ({ trial, verdicts }: Outcome): void => {
      const verdict = verdicts[metric];
      if (verdict === undefined) return;
      if (verdict.status === 'not-applicable') counts.notApplicable += 1;
      else if (verdict.status === 'failed') {
        counts.failed += 1;
        if (isJudgeFault(verdict)) judgeFaults += 1;
      } else {
        counts.scored += 1;
        means.add(trial.caseId, verdict.value);
        if (verdict.unit === undefined) return;
        unit = verdict.unit;
        quantities.push(verdict.value);
      }
    },
    summarize: (): MetricSummary => {
      const interval = means.interval();
      const estimate = unit === undefined ? toBoundedEstimate(interval) : toEstimate(interval);
      const summary: MetricSummary = {
        metric,
        unit,
        estimate,
        planned,
        ...counts,
        ...(judgeFaults > 0 && { judgeFaults }),
      };
      return quantities.length === 0 ? summary : { ...summary, percentiles: percentilesOf(quantities) };
    },
  };
}
