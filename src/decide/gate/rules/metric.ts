import type { GateRuleKind } from './gate-rule.ts';
import { evaluateMean } from './decide-mean.ts';

/** The rule that the mean of a metric is high, or low, enough. */
export const metricRule: GateRuleKind<'metric'> = {
  type: 'metric',
  decide: ({ metric, atLeast, atMost, confidence }, evidence) => {
    const asked = atLeast ?? atMost ?? 0;
    return evaluateMean(
      {
        subject: { measure: 'metric', name: metric },
        relation: atLeast === undefined ? 'at-most' : 'at-least',
        thresholdIn: (unit) => (unit === undefined ? asked / 100 : asked),
        confidence,
      },
      evidence,
    );
  },
};
