import { compileGlob } from '../../lib/compile-glob.ts';
import type { CaseNumber } from './case-numbers.ts';
import { type Finding, type GateCase, type GateRuleKind, notMeasured } from './gate-rule.ts';
import { sayNames, sayPlural } from './phrases.ts';

/** Certain cases pass, each by itself. One that is not in the run leaves the rule open. */
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
      arithmetic: `${passed.length} of ${sayPlural(required.length, 'required case')} passed`,
    };
    if (failed.length > 0) return { ...base, outcome: 'fail', reason: `${sayNames(failed)} did not pass` };
    if (absent.length > 0) return notMeasured(`no case is called ${sayNames(absent)}`, base);
    if (open.length > 0) return notMeasured(`${sayNames(open)} could not be measured`, base);
    if (required.length === 0) return notMeasured('none of the required cases counts: they are marked', base);
    return { ...base, outcome: 'pass', reason: `${sayPlural(required.length, 'required case')} passed` };
  },
};

/** What a required case comes to that is to pass so often. */
export function outcomeOfCase(
  number: Pick<CaseNumber, 'sum' | 'missing' | 'notNeeded'> | undefined,
  needed: number,
): Finding['outcome'] {
  if (number === undefined) return 'not-measured';
  if (number.sum >= needed) return 'pass';
  return number.sum + number.missing + number.notNeeded < needed ? 'fail' : 'not-measured';
}

/** Names that no case has. */
export function findAbsent(names: readonly string[], cases: Iterable<GateCase>): string[] {
  const ids = Array.from(cases, ({ id }) => id);
  return names.filter((name) => !ids.some(matchIds([name])));
}

/** Whether an id is one of those that are named; in a name, `*` stands for any text. */
export function matchIds(names: readonly string[]): (id: string) => boolean {
  const tests = names.map((name) => compileGlob(name, { ignoreCase: false }));
  return (id) => tests.some((isNamed) => isNamed(id));
}
