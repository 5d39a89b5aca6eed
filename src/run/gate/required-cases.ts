import { type Finding, type GateCase, type GateRuleKind, notMeasured } from './gate-rule.ts';
import { sayNames, sayPlural } from './say-number.ts';

/** Certain cases pass, each by itself. One that is not in the run leaves the rule open. */
export const requiredCasesRule: GateRuleKind<'required-cases'> = {
  type: 'required-cases',
  decide: ({ ids, passes }, { cases, run, planned, numbersOf }) => {
    const numbers = numbersOf({ measure: 'passed' });
    if ('reason' in numbers) return notMeasured(numbers.reason);
    const patterns = ids.map(toPattern);
    const needed = Math.min(passes ?? run.attempts, run.attempts);
    const required = cases.filter(({ id }) => patterns.some((pattern) => pattern.test(id)));
    const outcomes = required.map((each) => ({
      each,
      outcome: outcomeOf(numbers.at(each.position), needed),
    }));
    const named = (outcome: Finding['outcome']) =>
      outcomes.filter((found) => found.outcome === outcome).map(({ each }) => each.id);
    const [failed, open, passed] = [named('fail'), named('not-measured'), named('pass')];
    const absent = ids.filter((_, place) => !hasCase(patterns[place], planned.values()));
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

function outcomeOf(
  number: { readonly sum: number; readonly missing: number } | undefined,
  needed: number,
): Finding['outcome'] {
  if (number === undefined) return 'not-measured';
  if (number.sum >= needed) return 'pass';
  return number.sum + number.missing < needed ? 'fail' : 'not-measured';
}

function hasCase(pattern: RegExp | undefined, cases: Iterable<GateCase>): boolean {
  return Array.from(cases).some(({ id }) => pattern?.test(id) === true);
}

function toPattern(id: string): RegExp {
  const parts = id.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`, 's');
}
