import type { GateRule } from '../../../core/schema/gate.ts';
import type { GateRuleKind, RuleOf } from './rule-kind.ts';
import { planMeanOf, planOpen } from '../watch/plan-mean.ts';
import { evaluateMean } from './decide-mean.ts';
import type { MeanRule } from './evaluate-mean.ts';

/** A rule about a mean, as it is written: the threshold is in percent for shares, and in the unit for quantities. */
export interface WrittenMean extends Pick<MeanRule, 'subject' | 'confidence' | 'method' | 'isOfClusters'> {
  readonly atLeast?: number;
  readonly atMost?: number;
}

/** Makes the kind of a rule that the mean of a subject is high, or low, enough. */
export function meanRule<Type extends GateRule['type']>(
  type: Type,
  read: (rule: RuleOf<Type>) => WrittenMean,
): GateRuleKind<Type> {
  return {
    type,
    reads: 'values',
    decide: (rule, evidence) => {
      const { subject, confidence, method, isOfClusters, ...limits } = read(rule);
      const { relation, asked } = thresholdOf(limits);
      const thresholdIn = (unit: string | undefined) => (unit === undefined ? asked / 100 : asked);
      return evaluateMean({ subject, relation, thresholdIn, confidence, method, isOfClusters }, evidence);
    },
    watch: (rule, place) => {
      const { subject, confidence, isOfClusters, ...limits } = read(rule);
      if (isOfClusters === true)
        return planOpen(place, 'each cluster counts once, which is known at the end');
      const { relation, asked } = thresholdOf(limits);
      if (asked < 0 || asked > 100) return planOpen(place, 'it is about a quantity, which has no bounds');
      return planMeanOf(subject, { relation, threshold: asked / 100, confidence }, place);
    },
  };
}

function thresholdOf({ atLeast, atMost }: Pick<WrittenMean, 'atLeast' | 'atMost'>) {
  const relation: MeanRule['relation'] = atLeast === undefined ? 'at-most' : 'at-least';
  return { relation, asked: atLeast ?? atMost ?? 0 };
}
