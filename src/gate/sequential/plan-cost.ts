import type { GateRule } from '../../schema/gate-rule.ts';
import { notMeasured } from '../rules/gate-rule.ts';
import { sayMoney, sayPlural } from '../rules/say-number.ts';
import { planOpen } from './plan-open.ts';
import type { PlannedWatch, RuleWatch } from './rule-watch.ts';
import type { WatchPlace } from './watch-context.ts';

/** What the run costs is what was asked for: it fails once that is too much. The mean of a trial has no bounds. */
export function planCost(
  { atMost, per }: Extract<GateRule, { type: 'cost' }>,
  place: WatchPlace,
): PlannedWatch {
  if (per === 'trial') {
    return planOpen(place, 'what a trial costs has no bounds, so its mean is not certain before the end');
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
    standing: () => (isTooMuch() ? 'fail' : silent > 0 ? 'continue' : 'pass'),
    finding: () => {
      const arithmetic = `${sayPlural(reported, 'trial')} cost ${sayMoney(spent)} together`;
      const base = { value: spent, threshold: atMost, n: reported, arithmetic };
      const said = `the cost of what was asked, ${sayMoney(spent)},`;
      if (isTooMuch()) return { ...base, outcome: 'fail', reason: `${said} is over ${sayMoney(atMost)}` };
      if (silent > 0) return notMeasured(`${sayPlural(silent, 'trial')} did not say what they cost`, base);
      return { ...base, outcome: 'pass', reason: `${said} is not over ${sayMoney(atMost)}` };
    },
  };
  return { rule: place.rule, kind: 'provisional', begin: () => watch };
}
