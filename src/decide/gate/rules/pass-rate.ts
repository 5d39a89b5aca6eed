import { meanRule } from './mean-rule.ts';

/** The rule that enough trials pass. */
export const passRateRule = meanRule('pass-rate', ({ atLeast, confidence, mean, method }) => ({
  subject: { measure: 'passed' },
  atLeast,
  confidence,
  isOfClusters: mean === 'clusters',
  method,
}));
