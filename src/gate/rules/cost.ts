import { type GateRuleKind, notMeasured } from './gate-rule.ts';
import { sayMoney, sayPlural } from './phrases.ts';

/** What a target cost is low enough, over all cases: those that are marked are paid for too. */
export const costRule: GateRuleKind<'cost'> = {
  type: 'cost',
  decide: ({ atMost, per }, { whole }) => {
    const { sum, reported, unknown } = whole.usage.cost;
    const missing = unknown + whole.counts.notRun;
    if (sum === null) return notMeasured('no trial says what it cost', { threshold: atMost });
    const value = per === 'run' ? sum : sum / reported;
    const what = per === 'run' ? 'the cost' : 'the mean cost of a trial';
    const base = {
      value,
      threshold: atMost,
      n: reported,
      arithmetic: `${sayPlural(reported, 'trial')} cost ${sayMoney(sum)} together`,
    };
    const isMissed = value > atMost * (1 + 1e-12);
    // What is known is too much already, whatever the others cost.
    if (isMissed && (missing === 0 || per === 'run' || sum > atMost * (reported + missing))) {
      return { ...base, outcome: 'fail', reason: `${what}, ${sayMoney(value)}, is over ${sayMoney(atMost)}` };
    }
    if (missing > 0) return notMeasured(`${sayPlural(missing, 'trial')} did not say what they cost`, base);
    return {
      ...base,
      outcome: 'pass',
      reason: `${what}, ${sayMoney(value)}, is not over ${sayMoney(atMost)}`,
    };
  },
};
