import { lazily } from '../lazily.ts';
import { negateDecimal, shiftDecimal } from '../numbers/decimal.ts';
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
    if (quantity?.isPercent === true) add(byKey, shiftDecimal(quantity.exact, -2), term);
    if (quantity?.isParenthesized === true) add(byKey, negateDecimal(quantity.exact), term);
    if (quantity?.unit !== undefined) add(byDimension, quantity.unit.dimension, term);
  }
  const joined = lazily(() => new Set(terms.map(({ key }, index) => `${key}${terms[index + 1]?.key ?? ''}`)));
  return { byKey, byDimension, byKind, joined };
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
  if (quantity === undefined) return equal;
  const shares = quantity.isPercent ? (index.byKey.get(shiftDecimal(quantity.exact, -2)) ?? []) : [];
  const negative = quantity.isParenthesized ? (index.byKey.get(negateDecimal(quantity.exact)) ?? []) : [];
  return [equal, shares, negative, relatedTo(quantity, index)].flatMap((list) => list.slice(0, mostCompared));
}

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
  if (wanted.quantity !== undefined && given.readings !== undefined && isYear(wanted.quantity))
    return given.readings.every(({ year }) => String(year) === wanted.key) ? 'same' : 'other';
  return isInMonth(given, wanted) ? 'same' : 'other';
}

/** Returns whether a date is a day in the month that is expected. */
function isInMonth({ readings: given = [] }: Term, { readings: wanted = [] }: Term): boolean {
  const [date, month] = [given[0], wanted[0]];
  if (date === undefined || month === undefined || given.length > 1 || wanted.length > 1) return false;
  return month.day === undefined && date.year === month.year && date.month === month.month;
}

type Time = NonNullable<Term['time']>;

const half = 12 * 3600;

function compareTimes(given: Time, wanted: Time): 'same' | 'less' | 'other' {
  const result = compareClocks(given, wanted);
  if (result === 'other' || wanted.zone === undefined || wanted.zone === given.zone) return result;
  return given.zone === undefined ? 'less' : 'other';
}

function compareClocks(given: Time, wanted: Time): 'same' | 'less' | 'other' {
  if (given.seconds === wanted.seconds && (given.isHalfKnown || given.isPadded || !wanted.isHalfKnown))
    return 'same';
  if (given.seconds % half !== wanted.seconds % half) return 'other';
  if (!wanted.isHalfKnown) return wanted.isPadded && given.isHalfKnown ? 'other' : 'same';
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
