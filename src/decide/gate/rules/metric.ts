import { meanRule } from './mean-rule.ts';

/** The rule that the mean of a metric is high, or low, enough. */
export const metricRule = meanRule('metric', ({ metric, atLeast, atMost, confidence, mean }) => ({
  subject: { measure: 'metric', name: metric },
  atLeast,
  atMost,
  confidence,
  isOfClusters: mean === 'clusters',
}));
