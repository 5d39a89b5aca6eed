import type { MetricSummary } from '../schema/summary.ts';

/** Whether a metric had anything to measure: one that applied to no answer is not worth a row. */
export function hasSubject({ scored, notApplicable, failed }: MetricSummary): boolean {
  return scored > 0 || (failed > 0 && notApplicable === 0);
}
