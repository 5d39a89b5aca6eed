import type { Estimate } from '../schema/estimate.ts';
import type { Interval } from '../stats/interval.ts';

/** The confidence level of every interval in a report. */
export const confidence = 0.95;

/** An interval in the form in which it is kept and shown. */
export function toEstimate({ estimate: value, lower, upper, n, method, ...rest }: Interval): Estimate {
  const base = { value, lower, upper, n, confidence: rest.confidence, method };
  return rest.status === 'defined' ? base : { ...base, reason: rest.reason };
}

/** The same, but values that are all equal have no interval: one of no width would claim a certainty they do not give. */
export function toSpreadEstimate(interval: Interval): Estimate {
  const estimate = toEstimate(interval);
  if (estimate.lower === null || estimate.upper === null) return estimate;
  if (estimate.upper - estimate.lower >= 1e-12) return estimate;
  return {
    ...estimate,
    lower: null,
    upper: null,
    reason: 'all values are equal, so their spread is unknown',
  };
}

/** The same for the mean of values in [0, 1]: limits stay inside. */
export function toBoundedEstimate(interval: Interval): Estimate {
  const estimate = toSpreadEstimate(interval);
  if (estimate.lower === null || estimate.upper === null) return estimate;
  return { ...estimate, lower: Math.max(0, estimate.lower), upper: Math.min(1, estimate.upper) };
}
