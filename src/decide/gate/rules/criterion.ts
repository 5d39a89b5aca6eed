import type { GateRuleKind } from './gate-rule.ts';
import { evaluateMean } from './decide-mean.ts';

/** The rule that a criterion is met often enough or, if it is graded, to a high enough degree. */
export const criterionRule: GateRuleKind<'criterion'> = {
  type: 'criterion',
  decide: ({ criterion, atLeast, confidence }, evidence) =>
    evaluateMean(
      {
        subject: { measure: 'criterion', name: criterion },
        relation: 'at-least',
        thresholdIn: (unit) => (unit === undefined ? atLeast / 100 : atLeast),
        confidence,
      },
      evidence,
    ),
};
