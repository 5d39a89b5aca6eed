import type { GateRuleKind } from './gate-rule.ts';
import { holdMean } from './evaluate-mean.ts';

/** A criterion is met often enough; a graded one, to a high enough degree. */
export const criterionRule: GateRuleKind<'criterion'> = {
  type: 'criterion',
  decide: ({ criterion, atLeast, confidence }, evidence) =>
    holdMean(
      {
        subject: { measure: 'criterion', name: criterion },
        relation: 'at-least',
        thresholdIn: (unit) => (unit === undefined ? atLeast / 100 : atLeast),
        confidence,
      },
      evidence,
    ),
};
