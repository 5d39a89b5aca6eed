import type { GateRuleKind } from './gate-rule.ts';
import { evaluateMean } from './decide-mean.ts';

/** The rule that the mean score is high enough. */
export const scoreRule: GateRuleKind<'score'> = {
  type: 'score',
  decide: ({ atLeast, confidence }, evidence) =>
    evaluateMean(
      {
        subject: { measure: 'score' },
        relation: 'at-least',
        thresholdIn: () => atLeast / 100,
        confidence,
      },
      evidence,
    ),
};
