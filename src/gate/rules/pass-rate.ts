import type { GateRuleKind } from './gate-rule.ts';
import { holdMean } from './evaluate-mean.ts';

/** Enough trials passed. */
export const passRateRule: GateRuleKind<'pass-rate'> = {
  type: 'pass-rate',
  decide: ({ atLeast, confidence, method }, evidence) =>
    holdMean(
      {
        subject: { measure: 'passed' },
        relation: 'at-least',
        thresholdIn: () => atLeast / 100,
        confidence,
        method,
      },
      evidence,
    ),
};
