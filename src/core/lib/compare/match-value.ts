import { compareTerms, foundAs, isHard, matchHard, type TermIndex } from './hard-terms.ts';
import type { Surroundings, TermMatch } from './comparison.ts';
import { functionWords, formsOf, type Term } from './term.ts';

/**
 * Compares an answer with an expected value: one quantity, date, time or identifier with at most two words, such as its
 * unit. An answer that states it among other values counts when these are of the question, or when it begins or ends
 * with the value. Returns undefined when no single value is expected.
 */
export function matchValue(
  given: readonly Term[],
  wanted: readonly Term[],
  around: Surroundings & { readonly index: () => TermIndex },
): TermMatch | undefined {
  const value = soleValue(wanted);
  if (value === undefined) return undefined;
  const index = around.index();
  const match = matchHard(value, index);
  if (match.outcome !== 'same') {
    const outcome = match.outcome === 'other' ? 'different' : 'unclear';
    return { outcome, by: 'number', explanation: match.explanation };
  }
  const isBeside = (term: Term) =>
    term === value || isSaid(term, value, index) || functionWords.has(term.key);
  if (!wanted.every(isBeside)) return undefined;
  if (isDenied(given, value, around.given)) {
    return { outcome: 'different', by: 'number', explanation: `the answer denies “${value.text}”` };
  }
  const explanation = match.found === undefined ? undefined : foundAs(match.found, value) || undefined;
  return findRivals(given, value, around) ?? { outcome: 'same', by: 'number', explanation };
}

/** Returns whether a word next to a value is said in the singular or plural, or only names the kind of value. */
function isSaid({ key }: Term, value: Term, { byKey }: TermIndex): boolean {
  const isLabel = value.kind === 'code' && labels.has(key);
  return isLabel || formsOf(key).some((form) => byKey.has(form));
}

/** Words that only name the kind of an identifier next to it. */
const labels = new Set(
  'version isbn issn iban id sku vin order ticket invoice reference ref tracking number'.split(' '),
);

function soleValue(wanted: readonly Term[]): Term | undefined {
  if (wanted.length > 3) return undefined;
  const hard = wanted.filter(isHard);
  const rest = wanted.filter((term) => !isHard(term));
  const isValue = hard.length === 1 && rest.every(({ kind }) => kind === 'word');
  return isValue ? hard[0] : undefined;
}

/** Returns what is unclear when an answer states the value among others that may be meant; undefined when it is clear. */
function findRivals(
  given: readonly Term[],
  value: Term,
  { areAsked, given: text }: Surroundings,
): TermMatch | undefined {
  const isWanted = (term: Term) => compareTerms(term, value) === 'same';
  if (!given.some((term) => term.kind === value.kind && !isWanted(term))) return undefined;
  const isOther = (term: Term) =>
    term.kind === value.kind && !isWanted(term) && !areAsked([term.key]) && term.quantity?.isDenied !== true;
  const values = given.filter((term) => isOther(term) || (isHard(term) && isWanted(term)));
  const [first, last] = [values[0], values.at(-1)];
  if (first === undefined || last === undefined || !values.some(isOther)) return undefined;
  const isHedged = values.some((term, place) => {
    const next = values[place + 1];
    if (next === undefined || isOther(term) === isOther(next)) return false;
    return /\bor\b/.test(text.slice(term.end, Math.min(next.start, term.end + 40)));
  });
  const isLast = isWanted(last) && (isBare(last) || isConcluded(values.at(-2), last, text));
  const isClear = isLast || (isWanted(first) && isAlone(first, values[1], text));
  return isClear && !isHedged ? undefined : among(values, value, isOther);
}

/** Returns whether a value is a mere number, such as a calculation ends with. */
function isBare({ kind, quantity }: Term): boolean {
  return kind !== 'time' && kind !== 'date' && quantity?.unit === undefined;
}

const conclusion =
  /=|:\s?$|\b(?:so|thus|therefore|hence|total|altogether|answer|now|result|equals|makes|leaves|means|final|finally|actually|correction|daher|also|insgesamt|jetzt)\b/i;

/** Returns whether the last of several values is what the others lead to: `it was 10 days and is now 15 days`. */
function isConcluded(before: Term | undefined, last: Term, text: string): boolean {
  return (
    before === undefined || conclusion.test(text.slice(Math.max(before.end, last.start - 200), last.start))
  );
}

function among(values: readonly Term[], value: Term, isOther: (term: Term) => boolean): TermMatch {
  const others = values
    .filter((term) => isOther(term))
    .slice(0, 3)
    .map(({ text }) => `“${text}”`);
  return {
    outcome: 'unclear',
    by: 'number',
    explanation: `“${value.text}” is given among ${others.join(', ')}`,
  };
}

/** Returns whether a first value is stated before anything else is said: the next one is in another sentence. */
function isAlone(first: Term, next: Term | undefined, text: string): boolean {
  if (next === undefined) return true;
  const between = text.slice(first.end, Math.min(next.start, first.end + 2000));
  if (/\?|\b(?:but|however|no|wait|actually|total|aber|nein)\b/i.test(between)) return false;
  const isAtStart = text.slice(0, first.start).trim().split(' ').length <= 3;
  return (
    /[.!;:](?:\s|$)|\b(?:because|since|as|=)/u.test(between) ||
    between.includes('=') ||
    (isAtStart && /[,(]/.test(between))
  );
}

/** Returns whether each statement of the value is denied: `It is not 42.` */
function isDenied(given: readonly Term[], value: Term, text: string): boolean {
  const stated = given.filter((term) => isHard(term) && compareTerms(term, value) === 'same');
  const before = (term: Term) => text.slice(Math.max(0, term.start - 24), term.start);
  return stated.length > 0 && stated.every((term) => denial.test(before(term)));
}

const denial =
  /\b(?:not|isn't|is no|never|instead of|rather than|nicht|kein|statt)\s+(?:(?:a|an|the|my|your|at|on|in)\s+)?$/i;
