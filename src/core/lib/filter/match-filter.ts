import { compileGlob, escapeGlob, globParts } from '../compile-glob.ts';
import type { FieldValues, Filter, FilterOperator, FilterTerm } from './filter.ts';

/**
 * Compiles a filter to a predicate.
 * @param read - Returns the values that a subject has for the field of a term: none when the value is unknown.
 */
export function compileFilter<Subject>(
  filter: Filter,
  read: (subject: Subject, term: FilterTerm) => FieldValues,
): (subject: Subject) => boolean {
  const tests = filter.map((term) => ({ term, test: compileTerm(term) }));
  return (subject) => tests.every(({ term, test }) => test(read(subject, term)));
}

/** Compiles a term to a predicate over the values of its field. Without a value only `!=` is true. */
export function compileTerm({ operator, values: given }: FilterTerm): (values: FieldValues) => boolean {
  const compare = comparisons[operator as keyof typeof comparisons];
  if (compare !== undefined) {
    const limit = Number(given[0]);
    return (values) => values.some((value) => isNumeric(value) && compare(Number(value), limit));
  }
  const alternatives = given.map((value) => compileValue(value, operator));
  const isWanted = operator !== '!=';
  return (values) => alternatives.some((matches) => values.some(matches)) === isWanted;
}

const comparisons = {
  '<': (value: number, limit: number) => value < limit,
  '<=': (value: number, limit: number) => value <= limit,
  '>': (value: number, limit: number) => value > limit,
  '>=': (value: number, limit: number) => value >= limit,
};

function isNumeric(value: string | number): boolean {
  return typeof value === 'number' || (value.trim() !== '' && Number.isFinite(Number(value)));
}

function compileValue(
  wanted: string | number,
  operator: FilterOperator,
): (value: string | number) => boolean {
  if (typeof wanted === 'number') return (value) => value === wanted;
  const matches = compileTextPattern(wanted, operator);
  return (value) => matches(String(value));
}

/** Compiles a value of a filter to a predicate over texts, for which composed and decomposed letters are the same. */
export function compileTextPattern(wanted: string, operator: FilterOperator): (text: string) => boolean {
  const pattern = patternOf(wanted, operator);
  const matches = compileGlob(pattern, { ignoreCase: true });
  return plain.test(pattern) ? matches : (text) => matches(composeLetters(text));
}

// eslint-disable-next-line no-control-regex
const plain = /^[\0-\x7f]*$/;
const decomposed = /\P{M}\p{M}{1,30}|[\u1100-\u11ff]{1,30}/gu;

/** Returns a text with its decomposed letters composed, and nothing else changed. */
function composeLetters(text: string): string {
  return plain.test(text) ? text : text.replace(decomposed, (letter) => letter.normalize('NFC'));
}

/** Returns the pattern that a whole value, with its letters composed, must match: `~` finds a text anywhere in the value. */
export function patternOf(wanted: string, operator: FilterOperator): string {
  const composed = composeLetters(wanted);
  if (operator !== '~') return composed;
  // Written again, since a backslash at its end would make the star after it a character.
  return `*${globParts(composed).map(escapeGlob).join('*')}*`;
}
