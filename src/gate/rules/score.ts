import type { GateRuleKind } from './gate-rule.ts';
import { holdMean } from './evaluate-mean.ts';

/** The mean score is high enough. */
export const scoreRule: GateRuleKind<'score'> = {
  type: 'score',
  decide: ({ atLeast, confidence }, evidence) =>
    holdMean(
      {
        subject: { measure: 'score' },
        relation: 'at-least',
        thresholdIn: () => atLeast / 100,
        confidence,
      },
      evidence,
    ),
};
