import { matchIds } from '../match-ids.ts';
import type { CaseNumber } from '../case-numbers.ts';
import { type Finding, type GateCase, notMeasured } from '../gate-rule.ts';
import type { GateRuleKind, RuleOf } from './rule-kind.ts';
import { formatNames, formatCount } from '../phrases.ts';
import { planOpen } from '../watch/plan-mean.ts';
import { numbersOf, type PlannedWatch, type RuleWatch, type WatchPlace } from '../watch/rule-watch.ts';

/** The rule that certain cases pass, each on its own. It is not measured when one of them is not in the run. */
export const requiredCasesRule: GateRuleKind<'required-cases'> = {
  type: 'required-cases',
  reads: 'values',
  watch: watchRequired,
  decide: ({ ids, passes }, { cases, run, planned, numbersOf }) => {
    const numbers = numbersOf({ measure: 'passed' });
    if ('reason' in numbers) return notMeasured(numbers.reason);
    const needed = Math.min(passes ?? run.caseRule?.passes ?? run.attempts, run.attempts);
    const isRequired = matchIds(ids);
    const required = cases.filter(({ id }) => isRequired(id));
    const outcomes = required.map((each) => ({
      each,
      outcome: outcomeOfCase(numbers.at(each.position), needed),
    }));
    const named = (outcome: Finding['outcome']) =>
      outcomes.filter((found) => found.outcome === outcome).map(({ each }) => each.id);
    const [failed, open, passed] = [named('fail'), named('not-measured'), named('pass')];
    const absent = findAbsent(ids, planned.values());
    const base = countPassed(passed.length, required.length);
    if (failed.length > 0) return { ...base, outcome: 'fail', reason: `${formatNames(failed)} did not pass` };
    if (absent.length > 0) return notMeasured(`no question has the id ${formatNames(absent)}`, base);
    if (open.length > 0) return notMeasured(`${formatNames(open)} could not be measured`, base);
    if (required.length === 0) return notMeasured('all required questions are exempt from the gate', base);
    return {
      ...base,
      outcome: 'pass',
      reason: `${formatCount(required.length, 'required question')} passed`,
    };
  },
};

function countPassed(passed: number, n: number) {
  const arithmetic = `${passed} of ${formatCount(n, 'required question')} passed`;
  return { value: n === 0 ? null : passed / n, threshold: 1, n, arithmetic };
}

/** Returns the outcome of a required case that must pass in the given number of attempts. */
function outcomeOfCase(
  number: Pick<CaseNumber, 'sum' | 'missing' | 'notNeeded'> | undefined,
  needed: number,
): Finding['outcome'] {
  if (number === undefined) return 'not-measured';
  if (number.sum >= needed) return 'pass';
  return number.sum + number.missing + number.notNeeded < needed ? 'fail' : 'not-measured';
}

/** Returns the names that match no case. */
function findAbsent(names: readonly string[], cases: Iterable<GateCase>): string[] {
  const ids = Array.from(cases, ({ id }) => id);
  return names.filter((name) => !ids.some(matchIds([name])));
}

/**
 * Plans the watch of a rule about required cases, which are asked first: it fails with the first that does not pass, and passes
 * once all have.
 */
function watchRequired({ ids, passes }: RuleOf<'required-cases'>, place: WatchPlace): PlannedWatch {
  const { run, cases, marks } = place;
  const numbers = numbersOf(place, { measure: 'passed' });
  if ('reason' in numbers) return planOpen(place, numbers.reason);
  const isRequired = matchIds(ids);
  const required = cases.filter(({ id }) => isRequired(id));
  if (required.length === 0 || findAbsent(ids, marks.planned.values()).length > 0) {
    return planOpen(place, 'not all required questions are there');
  }
  const needed = Math.min(passes ?? run.attempts, run.attempts);
  const open = new Map(required.map((each) => [each.position, each]));
  const failed: GateCase[] = [];
  const watch: RuleWatch = {
    add: (position) => {
      const each = open.get(position);
      const outcome = each && outcomeOfCase(numbers.at(position), needed);
      if (each === undefined || outcome === 'not-measured') return;
      open.delete(position);
      if (outcome === 'fail') failed.push(each);
    },
    advance: () => {},
    status: () => (failed.length > 0 ? 'fail' : open.size === 0 ? 'pass' : 'continue'),
    finding: () => {
      const base = countPassed(required.length - open.size - failed.length, required.length);
      const names = formatNames(failed.map(({ id }) => id));
      if (failed.length > 0) return { ...base, outcome: 'fail', reason: `${names} did not pass` };
      if (open.size > 0) return notMeasured('not all required questions were asked', base);
      return {
        ...base,
        outcome: 'pass',
        reason: `${formatCount(required.length, 'required question')} passed`,
      };
    },
  };
  return { rule: place.rule, kind: 'exact', begin: () => watch };
}
