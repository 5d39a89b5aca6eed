import { type Finding, notMeasured } from '../gate-rule.ts';
import type { GateRuleKind, RuleOf } from './rule-kind.ts';
import { formatMoney, formatCount } from '../phrases.ts';
import { planOpen } from '../watch/plan-mean.ts';
import type { PlannedWatch, RuleWatch, WatchPlace } from '../watch/rule-watch.ts';

/** The rule that a target costs little enough, over all cases: exempt cases are paid for too. */
export const costRule: GateRuleKind<'cost'> = {
  type: 'cost',
  reads: 'costs',
  watch: watchCost,
  decide: ({ atMost, per }, { whole }) => {
    const { sum, reported, unknown } = whole.usage.cost;
    const missing = unknown + whole.counts.notRun;
    if (sum === null) return notMeasured('no attempt reported its cost', { threshold: atMost });
    // The known cost is too high already, whatever the other trials cost.
    const isFinal = missing === 0 || per === 'run' || sum > atMost * (reported + missing);
    const value = per === 'run' ? sum : sum / reported;
    const what = per === 'run' ? 'the cost' : 'the mean cost of an attempt';
    return findingOf({ what, value, sum, reported, missing, atMost, isFinal });
  },
};

interface Cost {
  readonly what: string;
  readonly value: number;
  readonly sum: number;
  /** The attempts that reported their cost, and those that did not. */
  readonly reported: number;
  readonly missing: number;
  readonly atMost: number;
  /** True when the attempts that are missing cannot make the value smaller. */
  readonly isFinal: boolean;
}

function findingOf({ what, value, sum, reported, missing, atMost, isFinal }: Cost): Finding {
  const base = {
    value,
    threshold: atMost,
    n: reported,
    arithmetic: `${formatCount(reported, 'attempt')} cost ${formatMoney(sum)} together`,
  };
  const isMissed = value > atMost * (1 + 1e-12);
  if (missing > 0 && !(isMissed && isFinal))
    return notMeasured(`${formatCount(missing, 'attempt')} did not report their cost`, base);
  const relation = isMissed ? 'is over' : 'is at most';
  const reason = `${what}, ${formatMoney(value)}, ${relation} ${formatMoney(atMost)}`;
  return { ...base, outcome: isMissed ? 'fail' : 'pass', reason };
}

/**
 * Plans the watch of a cost rule. The cost of a run is the cost of the trials made so far, and fails once it is too high. The mean of
 * a trial has no bounds.
 */
function watchCost({ atMost, per }: RuleOf<'cost'>, place: WatchPlace): PlannedWatch {
  if (per === 'trial') {
    return planOpen(place, 'the cost of an attempt has no bounds, so its mean is not certain before the end');
  }
  let [sum, reported, missing] = [0, 0, 0];
  const what = 'the cost of what was asked';
  const finding = () => findingOf({ what, value: sum, sum, reported, missing, atMost, isFinal: true });
  const watch: RuleWatch = {
    add: (_, { trial }) => {
      sum += trial.cost ?? 0;
      if (trial.cost === undefined) missing += 1;
      else reported += 1;
    },
    advance: () => {},
    status: () => {
      const { outcome } = finding();
      return outcome === 'pass' || outcome === 'fail' ? outcome : 'continue';
    },
    finding,
  };
  return { rule: place.rule, kind: 'provisional', begin: () => watch };
}
