import { negateDecimal } from '../numbers/decimal.ts';
import { asFoundNumber } from '../numbers/same-number.ts';
import { beginsFraction, denominators, readFraction, readPart } from './fraction-words.ts';
import type { Quantity } from './quantity.ts';
import { readAfter, readBefore } from './limits.ts';
import type { Term } from './term.ts';
import { type Unit, unitOf } from './units.ts';

const small = [
  'zero one two three four five six seven eight nine ten',
  'eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen',
]
  .join(' ')
  .split(' ');
const tens = '- - twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const scales: Readonly<Record<string, number>> = {
  hundred: 100,
  thousand: 1000,
  million: 1_000_000,
  billion: 1e9,
};

/**
 * Reads the English number that begins with a word: `three`, `twenty one`, `two hundred`. Returns undefined for other
 * words, and for `one` alone, which is often no number.
 */
function wordNumber(terms: readonly Term[], from: number, isOne: boolean): NumberWords | undefined {
  if (!values.has(terms[from]?.key ?? '')) return undefined;
  let sum: Sum = { total: 0, current: isOne ? 1 : undefined };
  let count = 0;
  for (; count < mostWords; count++) {
    if (isAnd(terms, from + count, sum)) count++;
    const term = terms[from + count];
    const next = term?.kind === 'word' ? addWord(sum, valueOf(term.key)) : undefined;
    if (next === undefined) break;
    sum = next;
  }
  const { total, current } = sum;
  if (current === undefined || (count === 1 && current === 1)) return undefined;
  const [first, last] = [terms[from] as Term, terms[from + count - 1] as Term];
  const number = asFoundNumber(total + current);
  const place = { start: first.start, end: last.end };
  const text = terms
    .slice(from, from + count)
    .map((term) => term.text)
    .join(' ');
  return {
    count,
    term: { kind: 'number', key: number.exact, text, ...place, quantity: { ...number, ...place, text } },
  };
}

/** Returns whether `and` is part of a number: `a hundred and one`, and not `one hundred and two hundred`. */
function isAnd(terms: readonly Term[], at: number, { total, current = 0 }: Sum): boolean {
  if (terms[at]?.key !== 'and') return false;
  const [value = 100, next = 0] = [1, 2].map((step) => valueOf(terms[at + step]?.key ?? ''));
  const isWhole = current > 0 ? current % 100 === 0 : total > 0;
  return isWhole && value < 100 && next < 100;
}

/** Small numbers of other languages, without the words that mean something else as well. */
const others: readonly (readonly [word: string, value: number])[] = [
  'zwei drei vier fünf sechs sieben acht neun zehn',
  'deux trois quatre cinq - - huit - dix',
  '- tres cuatro cinco - siete ocho nueve diez',
].flatMap((list) =>
  list.split(' ').flatMap((word, place) => (word === '-' ? [] : [[word, place + 2] as const])),
);

/** Further ones from eleven on, without those that are words of English: `elf`, `quince`, `seize`. */
const teens: readonly (readonly [word: string, value: number])[] = [
  '- zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn',
  'onze douze treize quatorze quinze - - - -',
  '- doce trece catorce - dieciséis diecisiete dieciocho diecinueve',
].flatMap((list) =>
  list.split(' ').flatMap((word, place) => (word === '-' ? [] : [[word, place + 11] as const])),
);
const tensOfOthers: readonly (readonly [word: string, value: number])[] = [
  'zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig',
  'vingt trente quarante cinquante soixante - - -',
  'veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa',
].flatMap((list) =>
  list.split(' ').flatMap((word, place) => (word === '-' ? [] : [[word, (place + 2) * 10] as const])),
);

const mostWords = 8;

interface Sum {
  readonly total: number;
  readonly current: number | undefined;
}

/** Adds the value of one more word; undefined when it does not continue the number. */
function addWord({ total, current }: Sum, value: number | undefined): Sum | undefined {
  if (value === undefined) return undefined;
  if (value < 100) {
    const isUnit = current !== undefined && current % 10 === 0 && current % 100 >= 20 && value < 10;
    const isRest = current !== undefined && current % 100 === 0;
    return current === undefined || isUnit || isRest ? { total, current: (current ?? 0) + value } : undefined;
  }
  if (current === undefined) return undefined;
  return value === 100 ? { total, current: current * 100 } : { total: total + current * value, current: 0 };
}

const values = new Map<string, number>([
  ...small.map((word, value) => [word, value] as const),
  ...tens.slice(2).map((word, place) => [word, (place + 2) * 10] as const),
  ...Object.entries(scales),
  ...others,
  ...teens,
  ...tensOfOthers,
]);

function valueOf(key: string): number | undefined {
  return values.get(key);
}

/** The words that a number in words can begin with. */
const beginnings: ReadonlySet<string> = new Set([...values.keys(), ...denominators, 'dozen']);

/** Joins number words to numbers: `twenty-one`, `two hundred`. */
export function joinNumberWords(terms: readonly Term[], text: string): readonly Term[] {
  if (!terms.some(({ key }) => beginnings.has(key))) return terms;
  const joined: Term[] = [];
  for (let index = 0; index < terms.length; index++) {
    const term = terms[index] as Term;
    const read = readNumber(terms, index, text);
    if (read === undefined) joined.push(term);
    else {
      const isNegative = isMinus(joined.at(-1));
      if (isNegative) joined.pop();
      const number = withBounds(read.term, text);
      const end = index + read.count + countRepeated(terms, index + read.count, read.term.key);
      const counted = withCounted(isNegative ? negated(number) : number, terms, end);
      joined.push(counted.term);
      index = end + counted.count - 1;
    }
  }
  return joined;
}

/** Reads what a number in words counts: `percent`, a unit, or the unit of which it is a part: `three quarters of an hour`. */
function withCounted(number: Term, terms: readonly Term[], at: number): NumberWords {
  const isPart = terms[at]?.key === 'of' && /[./]/.test(number.key) && isUnit(terms[at + 1]);
  const next = terms[isPart ? at + 1 : at];
  const count = isPart ? 2 : 1;
  if (next !== undefined && percents.has(next.key)) return { term: asPercent(number, next), count };
  const unit = next?.kind === 'word' && next.text.length > 1 ? unitOf(next.text) : undefined;
  if (next === undefined || unit === undefined) return { term: number, count: 0 };
  return { term: withUnit(number, next, unit), count };
}

function isUnit(term: Term | undefined): boolean {
  return term?.kind === 'word' && term.text.length > 2 && unitOf(term.text) !== undefined;
}

interface NumberWords {
  readonly term: Term;
  readonly count: number;
}

/** Reads the number at a place, with the fraction that words add to it. */
function readNumber(terms: readonly Term[], index: number, text: string): NumberWords | undefined {
  const dozen = readDozen(terms, index, text);
  if (dozen !== undefined) return dozen;
  const term = terms[index] as Term;
  const isPlain =
    term.kind === 'number' && term.quantity?.unit === undefined && beginsFraction(terms[index + 1]?.key);
  if (term.kind !== 'word' && !isPlain) return undefined;
  const words = isPlain
    ? { term, count: 1 }
    : (wordNumber(terms, index, isScaleOfOne(term, text)) ?? oneAt(terms, index));
  const fraction =
    words === undefined ? readPart(terms, index, text) : readFraction(terms, index + words.count, words.term);
  if (fraction !== undefined) return { term: fraction.term, count: (words?.count ?? 0) + fraction.count };
  return isPlain ? undefined : words;
}

/** Returns how many terms repeat a number in digits behind its words: `thirty (30) days`. */
function countRepeated(terms: readonly Term[], at: number, key: string): number {
  const [open, digits, close] = terms.slice(at, at + 3);
  return open?.key === '(' && digits?.kind === 'number' && digits.key === key && close?.key === ')' ? 3 : 0;
}

/** Reads a limit or a denial around a number in words: `five users at most`. */
function withBounds(term: Term, text: string): Term {
  const before = readBefore(text.slice(Math.max(0, term.start - 24), term.start));
  const quantity = { ...(term.quantity as Quantity), ...before, ...readAfter(text, term.end) };
  return { ...term, quantity };
}

/** Returns whether `a` comes before a word such as `hundred`. */
function isScaleOfOne({ key, start }: Term, text: string): boolean {
  return (valueOf(key) ?? 0) >= 100 && /(?<!\p{L})a $/iu.test(text.slice(Math.max(0, start - 3), start));
}

/** Reads `a dozen`, `half a dozen` and `two dozen`; a baker's dozen is another number. */
function readDozen(terms: readonly Term[], index: number, text: string): NumberWords | undefined {
  const [first, second] = terms.slice(index, index + 2);
  const dozen = first?.key === 'dozen' ? first : second;
  if (first === undefined || dozen?.key !== 'dozen') return undefined;
  const count = first === dozen ? oneDozen(first, text) : countOf(terms.slice(index, index + 1));
  if (count === undefined) return undefined;
  const number = asFoundNumber(count * 12);
  const place = { start: first.start, end: dozen.end, text: text.slice(first.start, dozen.end) };
  const term: Term = { kind: 'number', key: number.exact, ...place, quantity: { ...number, ...place } };
  return { count: first === dozen ? 1 : 2, term };
}

function oneDozen({ start }: Term, text: string): number | undefined {
  return /(?<!\p{L})(?:an?|one|per) $/iu.test(text.slice(Math.max(0, start - 5), start)) ? 1 : undefined;
}

/** Returns how many dozens a number or a word counts. */
function countOf([term]: readonly Term[]): number | undefined {
  if (term?.key === 'half') return 0.5;
  const { quantity } = term ?? {};
  const isPlain = quantity !== undefined && quantity.unit === undefined && /^\d{1,4}$/.test(quantity.exact);
  if (isPlain) return quantity.value;
  const value = term?.kind === 'word' ? values.get(term.key) : undefined;
  return value !== undefined && value <= 100 ? value : undefined;
}

/** Returns the term of a whole number that is written as `XIV`. */
export function numberTerm(value: number, place: Pick<Term, 'text' | 'start' | 'end'>): Term {
  const quantity = { ...asFoundNumber(value), ...place, isRoman: true };
  return { kind: 'number', key: String(value), ...place, quantity };
}

/** Reads `one` where it counts: before a unit, and in `one in four`. */
function oneAt(terms: readonly Term[], index: number): NumberWords | undefined {
  const [one, next, last] = terms.slice(index, index + 3);
  if (one?.key !== 'one' || next?.kind !== 'word') return undefined;
  const isCounted = next.text.length > 2 && unitOf(next.text) !== undefined;
  if (!isCounted && !(next.key === 'in' && values.has(last?.key ?? ''))) return undefined;
  const place = { start: one.start, end: one.end, text: one.text };
  return {
    count: 1,
    term: { kind: 'number', key: '1', ...place, quantity: { ...asFoundNumber(1), ...place } },
  };
}

const percents = new Set(['percent', 'prozent']);

function asPercent(number: Term, word: Term): Term {
  const place = { end: word.end, text: `${number.text} ${word.text}` };
  return { ...number, ...place, quantity: { ...(number.quantity as Quantity), ...place, isPercent: true } };
}

function isMinus(term: Term | undefined): boolean {
  return term?.kind === 'word' && (term.key === 'minus' || term.key === 'negative');
}

function negated(number: Term): Term {
  const quantity = number.quantity as Quantity;
  const exact = negateDecimal(quantity.exact);
  return { ...number, key: exact, quantity: { ...quantity, exact, value: -quantity.value } };
}

function withUnit(number: Term, word: Term, unit: Unit): Term {
  const place = { end: word.end, text: `${number.text} ${word.text}` };
  return { ...number, ...place, quantity: { ...(number.quantity as Quantity), ...place, unit } };
}

/** Returns a whole number as an ordinal with digits: `8th`. */
export function ordinalOf(digits: string): string {
  const isTeen = /1\d$/.test(digits);
  const ending = isTeen ? undefined : ['th', 'st', 'nd', 'rd'][Number(digits.slice(-1))];
  return `${digits}${ending ?? 'th'}`;
}

const ordinalUnits = 'first second third fourth fifth sixth seventh eighth ninth'.split(' ');
const ordinalTeens =
  'tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth'.split(
    ' ',
  );

/** The ordinals in words, without hyphens, each as it is written with digits. */
export const ordinals: ReadonlyMap<string, string> = new Map([
  ...[...ordinalUnits, ...ordinalTeens].map((word, index) => [word, ordinalOf(`${index + 1}`)] as const),
  ...tens
    .slice(2)
    .flatMap((ten, place) => [
      [ten.replace(/y$/, 'ieth'), ordinalOf(`${place + 2}0`)] as const,
      ...ordinalUnits.map((unit, index) => [`${ten}${unit}`, ordinalOf(`${place + 2}${index + 1}`)] as const),
    ]),
]);
