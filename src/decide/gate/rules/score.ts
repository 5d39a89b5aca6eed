import { meanRule } from './mean-rule.ts';

/** The rule that the mean score is high enough. */
export const scoreRule = meanRule('score', ({ atLeast, confidence, mean }) => ({
  subject: { measure: 'score' },
  atLeast,
  confidence,
  isOfClusters: mean === 'clusters',
}));
