import { compileGlob } from '../../../core/lib/compile-glob.ts';
import type { CaseNumber } from './case-numbers.ts';
import { type Finding, type GateCase, type GateRuleKind, notMeasured } from './gate-rule.ts';
import { formatNames, formatCount } from './phrases.ts';

/** The rule that certain cases pass, each on its own. It is not measured when one of them is not in the run. */
export const requiredCasesRule: GateRuleKind<'required-cases'> = {
  type: 'required-cases',
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
    const base = {
      value: required.length === 0 ? null : passed.length / required.length,
      threshold: 1,
      n: required.length,
      arithmetic: `${passed.length} of ${formatCount(required.length, 'required case')} passed`,
    };
    if (failed.length > 0) return { ...base, outcome: 'fail', reason: `${formatNames(failed)} did not pass` };
    if (absent.length > 0) return notMeasured(`no case has the id ${formatNames(absent)}`, base);
    if (open.length > 0) return notMeasured(`${formatNames(open)} could not be measured`, base);
    if (required.length === 0) return notMeasured('all required cases are exempt from the gate', base);
    return { ...base, outcome: 'pass', reason: `${formatCount(required.length, 'required case')} passed` };
  },
};

/** Returns the outcome of a required case that must pass in the given number of attempts. */
export function outcomeOfCase(
  number: Pick<CaseNumber, 'sum' | 'missing' | 'notNeeded'> | undefined,
  needed: number,
): Finding['outcome'] {
  if (number === undefined) return 'not-measured';
  if (number.sum >= needed) return 'pass';
  return number.sum + number.missing + number.notNeeded < needed ? 'fail' : 'not-measured';
}

/** Returns the names that match no case. */
export function findAbsent(names: readonly string[], cases: Iterable<GateCase>): string[] {
  const ids = Array.from(cases, ({ id }) => id);
  return names.filter((name) => !ids.some(matchIds([name])));
}

/** Creates a test of whether an id matches one of some names; in a name, `*` stands for any text. */
export function matchIds(names: readonly string[]): (id: string) => boolean {
  const tests = names.map((name) => compileGlob(name, { ignoreCase: false }));
  return (id) => tests.some((isNamed) => isNamed(id));
}
