import { lazily } from '../lazily.ts';
import { negateDecimal, shiftDecimal } from '../numbers/decimal.ts';
import { secondsBetween } from '../numbers/read-instant.ts';
import { ordinalOf } from './number-words.ts';
import { compareQuantities } from './quantity.ts';
import type { Term } from './term.ts';

/** Returns whether a term states a fact that no other one can stand for: a quantity, a date, a time, an identifier. */
export function isHard({ kind }: Term): boolean {
  return kind === 'number' || kind === 'code' || kind === 'date' || kind === 'time';
}

/** The terms of a text, by what they may be equal to. */
export interface TermIndex {
  readonly byKey: ReadonlyMap<string, readonly Term[]>;
  readonly byDimension: ReadonlyMap<string, readonly Term[]>;
  readonly byKind: ReadonlyMap<Term['kind'], readonly Term[]>;
  /** Neighbours written as one: `GPT 4o` as `gpt4o`. */
  readonly joined: () => ReadonlySet<string>;
}

/** Returns an index of the terms of a text. */
export function indexTerms(terms: readonly Term[]): TermIndex {
  const byKey = new Map<string, Term[]>();
  const byDimension = new Map<string, Term[]>();
  const byKind = new Map<Term['kind'], Term[]>();
  const add = <Key>(map: Map<Key, Term[]>, key: Key, term: Term) => {
    const list = map.get(key);
    if (list === undefined) map.set(key, [term]);
    else list.push(term);
  };
  for (const term of terms) {
    add(byKey, term.key, term);
    if (isHard(term)) add(byKind, term.kind, term);
    const { quantity } = term;
    for (const key of otherKeys(term)) add(byKey, key, term);
    if (quantity?.isPercent === true || quantity?.isMinor === true)
      add(byKey, shiftDecimal(quantity.exact, -2), term);
    if (quantity?.isParenthesized === true) add(byKey, negateDecimal(quantity.exact), term);
    if (quantity?.unit !== undefined) add(byDimension, quantity.unit.dimension, term);
  }
  const joined = lazily(() => new Set(terms.map(({ key }, index) => `${key}${terms[index + 1]?.key ?? ''}`)));
  return { byKey, byDimension, byKind, joined };
}

/** Returns what else a term is found by: a Roman number or a day as an ordinal, a version without its letter. */
function otherKeys({ text, key, quantity, readings }: Term): string[] {
  if (quantity?.isRoman === true) return [ordinalOf(key)];
  if (quantity?.currency === 'GBP') return [penceKey(quantity)];
  if (quantity !== undefined) return /^\d+\.\d*0$/.test(text) ? [text] : [];
  const [day] = readings ?? [];
  return day?.day === undefined || day.year !== undefined
    ? []
    : [String(day.day), ordinalOf(String(day.day))];
}

/** Returns an amount of British money as `150p`. */
function penceKey({ exact, isMinor }: NonNullable<Term['quantity']>): string {
  return `${isMinor === true ? exact : shiftDecimal(exact, 2)}p`;
}

/** A finding of an expected term in a text. */
export interface HardMatch {
  /** `less`: without its unit, or with half of the day left open. */
  readonly outcome: 'same' | 'less' | 'other';
  readonly found?: Term;
  readonly explanation: string;
}

const mostCompared = 200;

/** Finds an expected quantity, date, time or identifier among the terms of a text. */
export function matchHard(wanted: Term, index: TermIndex): HardMatch {
  const candidates = candidatesFor(wanted, index);
  let less: Term | undefined;
  for (const term of candidates) {
    const result = compareTerms(term, wanted);
    if (result === 'same') return { outcome: 'same', found: term, explanation: foundAs(term, wanted) };
    if (result === 'less') less ??= term;
  }
  if (wanted.kind === 'code' && index.joined().has(wanted.key)) return { outcome: 'same', explanation: '' };
  if (less !== undefined) {
    return { outcome: 'less', found: less, explanation: `“${less.text}” given, “${wanted.text}” expected` };
  }
  return { outcome: 'other', explanation: missingText(wanted, index) };
}

function candidatesFor({ key, kind, quantity, time, readings }: Term, index: TermIndex): readonly Term[] {
  const equal = (index.byKey.get(key) ?? []).slice(0, mostCompared);
  if (kind === 'time' && time !== undefined) return (index.byKind.get(kind) ?? []).slice(0, mostCompared);
  if (kind === 'date' && readings !== undefined)
    return [...equal, ...(index.byKind.get(kind) ?? []).slice(0, mostCompared)];
  return quantity === undefined
    ? equal
    : [equal, ...otherForms(quantity, index), relatedTo(quantity, index)].flatMap((list) =>
        list.slice(0, mostCompared),
      );
}

/** Returns the terms that may state a quantity in another form: a share, a debit, an ordinal or a word. */
function otherForms(quantity: NonNullable<Term['quantity']>, { byKey }: TermIndex): (readonly Term[])[] {
  const { exact, isPercent, isMinor, isParenthesized, isRoman, currency } = quantity;
  const keys = [...(partWords.get(exact) ?? [])];
  if (isPercent || isMinor === true) keys.push(shiftDecimal(exact, -2));
  if (isParenthesized) keys.push(negateDecimal(exact));
  if (isRoman === true) keys.push(ordinalOf(exact));
  if (currency === 'GBP') keys.push(penceKey(quantity));
  return keys.map((key) => byKey.get(key) ?? []);
}

/** Words that may state a part of one: `a third` of the users, and a third user. */
const partWords: ReadonlyMap<string, readonly string[]> = new Map([
  ['0.5', ['half']],
  ['1/3', ['3rd']],
  ['0.25', ['quarter', '4th']],
  ['0.75', ['quarters']],
]);

/** Returns the quantities of the same dimension; for a year the dates: `1969` is stated by “July 1969”. */
function relatedTo(quantity: NonNullable<Term['quantity']>, index: TermIndex): readonly Term[] {
  const { unit } = quantity;
  if (unit !== undefined) return index.byDimension.get(unit.dimension) ?? [];
  return isYear(quantity) ? (index.byKind.get('date') ?? []) : [];
}

function isYear({ text, unit }: NonNullable<Term['quantity']>): boolean {
  return unit === undefined && /^[12]\d{3}$/.test(text);
}

/** Compares two terms; see `HardMatch`. */
export function compareTerms(given: Term, wanted: Term): HardMatch['outcome'] {
  if (given.quantity !== undefined && wanted.quantity !== undefined) {
    const isDenied = given.quantity.isDenied === true && wanted.quantity.isDenied !== true;
    return isDenied ? 'other' : compareQuantities(given.quantity, wanted.quantity);
  }
  if (given.time !== undefined && wanted.time !== undefined) return compareTimes(given.time, wanted.time);
  if (given.key === wanted.key) return 'same';
  if (given.readings !== undefined && wanted.readings !== undefined) return compareDates(given, wanted);
  return compareKinds(given, wanted);
}

/** Compares terms of two kinds: an ordinal and a Roman number, a word and a fraction, a date and its day or year. */
function compareKinds(given: Term, { key, quantity }: Term): HardMatch['outcome'] {
  const isRoman = quantity?.isRoman === true && given.kind !== 'number';
  if (otherKeys(given).includes(key) || (isRoman && given.key === ordinalOf(key))) return 'same';
  if (quantity === undefined) return 'other';
  if (quantity.currency === 'GBP' && given.key === penceKey(quantity)) return 'same';
  if (partWords.get(quantity.exact)?.includes(given.key) === true) return 'less';
  const isYearOf = isYear(quantity) && given.readings?.every(({ year }) => String(year) === key) === true;
  return isYearOf ? 'same' : 'other';
}

/** Compares dates: a day in the month that is expected is the same, and so is a day of which no year is expected; without its year it is less. */
function compareDates({ readings: given = [] }: Term, { readings: wanted = [] }: Term): HardMatch['outcome'] {
  const [date, other] = [given[0], wanted[0]];
  if (date === undefined || other === undefined || given.length > 1 || wanted.length > 1) return 'other';
  if (date.month !== other.month || (other.day !== undefined && date.day !== other.day)) return 'other';
  if (other.year === undefined || date.year === other.year) return 'same';
  return date.year === undefined ? 'less' : 'other';
}

type Time = NonNullable<Term['time']>;

const half = 12 * 3600;

function compareTimes(given: Time, wanted: Time): 'same' | 'less' | 'other' {
  const shift = secondsBetween(given.zone, wanted.zone);
  const isMoved = shift !== undefined && shift !== 0;
  const moved = isMoved ? { ...given, seconds: (given.seconds + shift + 2 * half) % (2 * half) } : given;
  const result = compareClocks(moved, wanted);
  if (result === 'other' || wanted.zone === undefined || shift !== undefined) return result;
  return given.zone === undefined ? 'less' : 'other';
}

function compareClocks(given: Time, wanted: Time): 'same' | 'less' | 'other' {
  if (given.seconds === wanted.seconds && (given.isHalfKnown || given.isPadded || !wanted.isHalfKnown))
    return 'same';
  if (given.seconds % half !== wanted.seconds % half) return 'other';
  if (!wanted.isHalfKnown) {
    if (wanted.isPadded && given.isHalfKnown) return 'other';
    // 12:00 is noon rather than midnight.
    return wanted.seconds >= half && given.seconds < half && given.isHalfKnown ? 'less' : 'same';
  }
  return given.isHalfKnown ? 'other' : 'less';
}

/** Says how a term was found, where it was written differently. */
export function foundAs({ text }: Term, wanted: Term): string {
  return text === wanted.text ? '' : `found ${wanted.text} in “${text}”`;
}

function missingText(wanted: Term, { byKind }: TermIndex): string {
  const others = (byKind.get(wanted.kind) ?? []).slice(0, 3).map(({ text }) => `“${text}”`);
  return others.length === 0
    ? `“${wanted.text}” is missing`
    : `${others.join(', ')} given, “${wanted.text}” expected`;
}
