import { monthNames } from '../numbers/find-dates.ts';
import { currencyNamed, currencyOf, isMinorCurrency } from '../numbers/currencies.ts';
import type { Quantity } from './quantity.ts';
import type { Term } from './term.ts';
import type { Unit } from './units.ts';

/**
 * Joins the terms of what is one thing: a number and the name of its money, an amount or measure in two units, and the
 * quarter of a year in words.
 */
export function joinTerms(terms: readonly Term[], text: string): readonly Term[] {
  let [numbers, isMoney, hasQuarter, hasOrdinal] = [0, false, false, false];
  for (const { kind, key, quantity } of terms) {
    hasOrdinal ||= kind === 'word' && isOrdinal(key);
    if (kind === 'number') numbers++;
    isMoney ||= quantity?.currency !== undefined || sure.has(key);
    hasQuarter ||= key === 'quarter';
  }
  const named = isMoney && numbers > 0 ? joinMoney(terms, text) : terms;
  const joined = numbers > 1 ? joinParts(named, text) : named;
  const quarters = hasQuarter ? joinQuarters(joined) : joined;
  return hasOrdinal ? joinDays(quarters, text) : quarters;
}

/** Joins a number and the name of its currency: `5 dollars`, `20 Swiss francs`. */
function joinMoney(terms: readonly Term[], text: string): Term[] {
  const joined: Term[] = [];
  for (let index = 0; index < terms.length; index++) {
    const term = terms[index] as Term;
    const { quantity } = term;
    const [next, last] = [terms[index + 1], terms[index + 2]];
    const names = quantity === undefined ? 0 : countNames(quantity, next, last);
    if (quantity === undefined || names === 0) {
      joined.push(term);
      continue;
    }
    const end = (names === 2 ? last : next)?.end ?? term.end;
    const name = next?.key ?? '';
    const isMinor = quantity.isMinor ?? (names === 1 && isMinorCurrency(name));
    const currency = quantity.currency ?? currencyNamed(name);
    const money = { ...quantity, currency, end, ...(isMinor && { isMinor }) };
    joined.push({ ...term, quantity: money, end, text: text.slice(term.start, end) });
    index += names;
  }
  return joined;
}

/** Returns how many of the next terms name the money of a number. */
function countNames({ currency, unit, isPercent }: Quantity, next?: Term, last?: Term): number {
  if (next?.kind !== 'word' || unit !== undefined || isPercent) return 0;
  const code = currencyNamed(next.key);
  // Of a number in words the currency is not known yet; `won` and `lira` may be another word there.
  if (code !== undefined) return code === currency || (currency === undefined && sure.has(next.key)) ? 1 : 0;
  if (currency === undefined || last?.kind !== 'word') return 0;
  return currencyOf(`${next.key} ${last.key}`) === currency && currencyNamed(last.key) !== undefined ? 2 : 0;
}

const sure = new Set(
  'dollar dollars euro euros pound pounds cent cents pence yen rupee rupees bucks'.split(' '),
);

const dimensionsOfParts = new Set(['time', 'length', 'mass', 'months']);

/** Joins a quantity that is given in two units: `1 h 30 min` is 90 minutes, `6 ft 2 in` is 74 inches. */
function joinParts(terms: readonly Term[], text: string): Term[] {
  const joined: Term[] = [];
  for (const term of terms) {
    const place = joined.at(-1)?.kind === 'word' ? -2 : -1;
    const whole = term.kind === 'number' ? joined.at(place) : undefined;
    const sum = whole === undefined ? undefined : addPart(whole, term, text);
    if (sum === undefined) joined.push(term);
    else joined.splice(place, -place, { ...sum, text: text.slice(sum.start, sum.end) });
  }
  return joined;
}

function addPart(whole: Term, part: Term, text: string): Term | undefined {
  const [first, second] = [whole.quantity, part.quantity];
  if (first === undefined || second === undefined || first.per !== undefined) return undefined;
  const size = sizeOfPart(first, second);
  if (size === undefined || !/^(?: |, | and |, and | und )?$/.test(text.slice(whole.end, part.start)))
    return undefined;
  const areWhole = [first, second].every(({ exact }) => /^\d{1,6}$/.test(exact));
  if (!areWhole || BigInt(second.exact) >= size) return undefined;
  const exact = String(BigInt(first.exact) * size + BigInt(second.exact));
  const sum = { exact, value: Number(exact), start: whole.start, text: exact, isDenied: first.isDenied };
  return {
    ...part,
    key: exact,
    start: whole.start,
    quantity: { ...second, ...sum, currency: first.currency },
  };
}

/** Returns how many of a smaller unit make the larger one: 60 minutes, 100 cents. */
function sizeOfPart(whole: Quantity, part: Quantity): bigint | undefined {
  const [unit, smaller] = [whole.unit, part.unit];
  if (unit === undefined || smaller === undefined) return isMoneyWithPart(whole, part) ? 100n : undefined;
  const isSame = unit.dimension === smaller.dimension && dimensionsOfParts.has(unit.dimension);
  return isSame ? ratioOf(unit, smaller) : undefined;
}

function isMoneyWithPart(whole: Quantity, part: Quantity): boolean {
  return whole.currency !== undefined && whole.isMinor !== true && part.isMinor === true;
}

function ratioOf(unit: Unit, smaller: Unit): bigint | undefined {
  const [top, bottom] = [unit.factor[0] * smaller.factor[1], unit.factor[1] * smaller.factor[0]];
  return top <= bottom || top % bottom !== 0n ? undefined : top / bottom;
}

/** Reads `third quarter` as `Q3`. */
function joinQuarters(terms: readonly Term[]): Term[] {
  const joined: Term[] = [];
  for (const term of terms) {
    const last = joined.at(-1);
    const place = term.key === 'quarter' ? /^([1-4])(?:st|nd|rd|th)$/.exec(last?.key ?? '')?.[1] : undefined;
    if (last === undefined || place === undefined) joined.push(term);
    else
      joined.splice(-1, 1, {
        kind: 'code',
        key: `q${place}`,
        text: `${last.text} ${term.text}`,
        start: last.start,
        end: term.end,
      });
  }
  return joined;
}

function isOrdinal(key: string): boolean {
  return /^\d{1,2}(?:st|nd|rd|th)$/.test(key);
}

const months = monthNames(['en']);

/** Reads a day whose number is a word: `Fourth of July`, `July Fourth`. */
function joinDays(terms: readonly Term[], text: string): Term[] {
  const joined: Term[] = [];
  for (let at = 0; at < terms.length; at++) {
    const [first, second, third] = terms.slice(at, at + 3) as [Term, Term?, Term?];
    const last = second?.key === 'of' ? third : second;
    const day = dayOf(first, last, second?.key === 'of');
    if (day === undefined || last === undefined) {
      joined.push(first);
      continue;
    }
    const place = { text: text.slice(first.start, last.end), start: first.start, end: last.end };
    joined.push({ kind: 'date', key: `${day.month}-${day.day}`, readings: [day], ...place });
    at += last === third ? 2 : 1;
  }
  return joined;
}

/** Returns the day that an ordinal and the name of a month make; a name in small letters may be another word. */
function dayOf(
  first: Term,
  last: Term | undefined,
  isOf: boolean,
): { month: number; day: number } | undefined {
  if (last === undefined || first.kind !== 'word' || last.kind !== 'word') return undefined;
  const [ordinal, name] = isOf ? [first, last] : [last, first];
  const month = /^\p{Lu}/u.test(name.text) ? months.get(name.key) : undefined;
  const day = Number.parseInt(ordinal.key, 10);
  return month !== undefined && isOrdinal(ordinal.key) && day <= 31 ? { month, day } : undefined;
}
