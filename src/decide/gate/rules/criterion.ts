import { meanRule } from './mean-rule.ts';

/** The rule that a criterion is met often enough or, if it is graded, to a high enough degree. */
export const criterionRule = meanRule('criterion', ({ criterion, atLeast, confidence, mean }) => ({
  subject: { measure: 'criterion', name: criterion },
  atLeast,
  confidence,
  isOfClusters: mean === 'clusters',
}));
