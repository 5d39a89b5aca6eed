import type { GateRule } from '../../schema/gate-rule.ts';
import { type GateCase, notMeasured } from '../rules/gate-rule.ts';
import { matchIds } from '../rules/match-ids.ts';
import { findAbsent, outcomeOfCase } from '../rules/required-cases.ts';
import { sayNames, sayPlural } from '../rules/say-number.ts';
import { planOpen } from './plan-open.ts';
import type { PlannedWatch, RuleWatch } from './rule-watch.ts';
import { numbersOf, type WatchPlace } from './watch-context.ts';

/** Required cases are asked first: the rule fails with the first that did not pass, and holds once all have. */
export function planRequired(
  { ids, passes }: Extract<GateRule, { type: 'required-cases' }>,
  place: WatchPlace,
): PlannedWatch {
  const { run, cases, marks } = place;
  const numbers = numbersOf(place, { measure: 'passed' });
  if ('reason' in numbers) return planOpen(place, numbers.reason);
  const isRequired = matchIds(ids);
  const required = cases.filter(({ id }) => isRequired(id));
  if (required.length === 0 || findAbsent(ids, marks.planned.values()).length > 0) {
    return planOpen(place, 'not all required cases are there');
  }
  const needed = Math.min(passes ?? run.attempts, run.attempts);
  const open = new Map(required.map((each) => [each.position, each]));
  const failed: GateCase[] = [];
  const countPassed = () => required.length - open.size - failed.length;
  const watch: RuleWatch = {
    add: (position) => {
      const each = open.get(position);
      const outcome = each && outcomeOfCase(numbers.at(position), needed);
      if (each === undefined || outcome === 'not-measured') return;
      open.delete(position);
      if (outcome === 'fail') failed.push(each);
    },
    advance: () => {},
    standing: () => (failed.length > 0 ? 'fail' : open.size === 0 ? 'pass' : 'continue'),
    finding: () => {
      const base = {
        value: countPassed() / required.length,
        threshold: 1,
        n: required.length,
        arithmetic: `${countPassed()} of ${sayPlural(required.length, 'required case')} passed`,
      };
      const names = sayNames(failed.map(({ id }) => id));
      if (failed.length > 0) return { ...base, outcome: 'fail', reason: `${names} did not pass` };
      if (open.size > 0) return notMeasured('not all required cases were asked', base);
      return { ...base, outcome: 'pass', reason: `${sayPlural(required.length, 'required case')} passed` };
    },
  };
  return { rule: place.rule, kind: 'exact', begin: () => watch };
}
