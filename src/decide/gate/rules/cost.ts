import { notMeasured } from '../gate-rule.ts';
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
    const value = per === 'run' ? sum : sum / reported;
    const what = per === 'run' ? 'the cost' : 'the mean cost of an attempt';
    const base = {
      value,
      threshold: atMost,
      n: reported,
      arithmetic: `${formatCount(reported, 'attempt')} cost ${formatMoney(sum)} together`,
    };
    const isMissed = value > atMost * (1 + 1e-12);
    // The known cost is too high already, whatever the other trials cost.
    if (isMissed && (missing === 0 || per === 'run' || sum > atMost * (reported + missing))) {
      return {
        ...base,
        outcome: 'fail',
        reason: `${what}, ${formatMoney(value)}, is over ${formatMoney(atMost)}`,
      };
    }
    if (missing > 0) return notMeasured(`${formatCount(missing, 'attempt')} did not report their cost`, base);
    return {
      ...base,
      outcome: 'pass',
      reason: `${what}, ${formatMoney(value)}, is at most ${formatMoney(atMost)}`,
    };
  },
};

/**
 * Plans the watch of a cost rule. The cost of a run is the cost of the trials made so far, and fails once it is too high. The mean of
 * a trial has no bounds.
 */
function watchCost({ atMost, per }: RuleOf<'cost'>, place: WatchPlace): PlannedWatch {
  if (per === 'trial') {
    return planOpen(place, 'the cost of an attempt has no bounds, so its mean is not certain before the end');
  }
  let [spent, reported, silent] = [0, 0, 0];
  const isTooMuch = () => spent > atMost * (1 + 1e-12);
  const watch: RuleWatch = {
    add: (_, { trial }) => {
      spent += trial.cost ?? 0;
      if (trial.cost === undefined) silent += 1;
      else reported += 1;
    },
    advance: () => {},
    status: () => (isTooMuch() ? 'fail' : silent > 0 ? 'continue' : 'pass'),
    finding: () => {
      const arithmetic = `${formatCount(reported, 'attempt')} cost ${formatMoney(spent)} together`;
      const base = { value: spent, threshold: atMost, n: reported, arithmetic };
      const subject = `the cost of what was asked, ${formatMoney(spent)},`;
      if (isTooMuch())
        return { ...base, outcome: 'fail', reason: `${subject} is over ${formatMoney(atMost)}` };
      if (silent > 0) return notMeasured(`${formatCount(silent, 'attempt')} did not report their cost`, base);
      return { ...base, outcome: 'pass', reason: `${subject} is at most ${formatMoney(atMost)}` };
    },
  };
  return { rule: place.rule, kind: 'provisional', begin: () => watch };
}
