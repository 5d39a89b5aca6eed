import { type GateRuleKind, notMeasured } from './gate-rule.ts';
import { formatMoney, formatCount } from './phrases.ts';

/** The rule that a target costs little enough, over all cases: exempt cases are paid for too. */
export const costRule: GateRuleKind<'cost'> = {
  type: 'cost',
  decide: ({ atMost, per }, { whole }) => {
    const { sum, reported, unknown } = whole.usage.cost;
    const missing = unknown + whole.counts.notRun;
    if (sum === null) return notMeasured('no trial reported its cost', { threshold: atMost });
    const value = per === 'run' ? sum : sum / reported;
    const what = per === 'run' ? 'the cost' : 'the mean cost of a trial';
    const base = {
      value,
      threshold: atMost,
      n: reported,
      arithmetic: `${formatCount(reported, 'trial')} cost ${formatMoney(sum)} together`,
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
    if (missing > 0) return notMeasured(`${formatCount(missing, 'trial')} did not report their cost`, base);
    return {
      ...base,
      outcome: 'pass',
      reason: `${what}, ${formatMoney(value)}, is at most ${formatMoney(atMost)}`,
    };
  },
};
