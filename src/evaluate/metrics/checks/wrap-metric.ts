import type { NamedUse } from '../../../core/lib/define.ts';
import {
  scoreSafely,
  type Metric,
  type MetricContext,
  type MetricInput,
  type MetricNeeds,
} from '../metric.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';

/** Changes what a metric reads, or what it says. */
export interface Wrapping {
  /** Returns what the metric is applied to; a verdict where it cannot be applied. */
  readonly before?: (input: MetricInput) => MetricInput | Verdict;
  /** Returns the verdict of the whole from the metric's. */
  readonly after?: (verdict: Verdict) => Verdict;
}

/** Creates a metric that applies another one, with its judge, its preparation and its costs. */
export function wrapMetric(
  use: NamedUse | string,
  { metric: find }: MetricNeeds,
  { before = (input) => input, after = (verdict) => verdict }: Wrapping,
): Metric {
  const metric = find?.(use) ?? missing;
  const { measuresFailures, concurrency, judge, identity } = metric;
  return {
    measuresFailures,
    concurrency,
    judge,
    identity,
    open: async () => await metric.open?.(),
    close: async () => await metric.close?.(),
    parts: (metricInput) => {
      const input = before(metricInput);
      return 'status' in input ? [] : [{ metric, input }];
    },
    score: async (metricInput: MetricInput, context?: MetricContext) => {
      const input = before(metricInput);
      return 'status' in input ? input : after(await scoreSafely(metric, input, context));
    },
  };
}

/** Stands in for a metric that cannot be created, so that its absence never looks like a verdict. */
const missing: Metric = {
  score: () => ({ status: 'failed', code: 'metric-missing', reason: 'there is no such metric to apply' }),
};
