import type { GateRuleKind } from './gate-rule.ts';
import { evaluateMean } from './decide-mean.ts';

/** The rule that enough trials pass. */
export const passRateRule: GateRuleKind<'pass-rate'> = {
  type: 'pass-rate',
  decide: ({ atLeast, confidence, method }, evidence) =>
    evaluateMean(
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
