import { shiftDecimal } from '../numbers/decimal.ts';
import { withDecimalPoints } from '../numbers/decimal-commas.ts';
import { type DecimalMark, findNumbers, type FoundNumber } from '../numbers/find-numbers.ts';
import { readAfter, readBefore } from './limits.ts';
import { asFraction, ofFraction, type Quantity } from './quantity.ts';
import type { Term } from './term.ts';
import { rateOf, type Unit, unitOf, unitOfRate } from './units.ts';

/** Finds the numbers of a prepared text with their units, as quantities; powers of ten and fractions are one number. */
export function readQuantities(text: string, mark: DecimalMark): Term[] {
  if (!/[\d]/.test(text)) return [];
  const plain = mark === ',' ? text : withDecimalPoints(text);
  const numbers = findNumbers(plain, mark);
  const terms: Term[] = [];
  for (let index = 0; index < numbers.length; index++) {
    const joined = joinNumbers(numbers, index, plain);
    index += joined.count - 1;
    const term = joined.code ?? withUnit(joined.number, plain);
    terms.push(term);
    // The 2 of `m^2` is no number of its own.
    while ((numbers[index + 1]?.start ?? term.end) < term.end) index++;
  }
  return terms;
}

interface Joined {
  readonly number: Quantity;
  /** The number of numbers that it is made of. */
  readonly count: number;
  readonly code?: Term;
}

function joinNumbers(numbers: readonly FoundNumber[], index: number, text: string): Joined {
  const [first, second, third] = numbers.slice(index, index + 3) as [FoundNumber, FoundNumber?, FoundNumber?];
  const alone = { number: first, count: 1 };
  if (second === undefined) return alone;
  const gap = text.slice(first.end, second.start);
  if (power.test(gap)) return joinPower(first, second, text);
  if (gap === '/' && (isWhole(first) || isNegative(first)) && isWhole(second))
    return joinFraction(first, second, text);
  if (third === undefined) return alone;
  const nextGap = text.slice(second.end, third.start);
  if (/^\s?[*×x·⋅]\s?$/u.test(gap) && second.exact === '10' && power.test(nextGap)) {
    return {
      number: spanning(first, third, { exact: shifted(first.exact, third.exact) ?? first.exact }),
      count: 3,
    };
  }
  return gap === ' ' && nextGap === '/' ? joinMixed([first, second, third], text) : alone;
}

/** Joins `2 1/2`. */
function joinMixed(
  [whole, top, bottom]: readonly [FoundNumber, FoundNumber, FoundNumber],
  text: string,
): Joined {
  const alone = { number: whole, count: 1 };
  if (![whole, top, bottom].every(isWhole) || whole.text !== whole.exact) return alone;
  const part = joinFraction(top, bottom, text);
  const [over, under] = asFraction(part.number) ?? [0n, 1n];
  if (part.count !== 2 || over <= 0n || over >= under) return alone;
  return { number: spanning(whole, bottom, ofFraction(BigInt(whole.exact) * under + over, under)), count: 3 };
}

const power = /^(?:\^|\*\*)$/;

function isWhole({ exact, isPercent, currency }: FoundNumber): boolean {
  return /^\d{1,9}$/.test(exact) && !isPercent && currency === undefined;
}

/** Returns whether a whole number has a minus, and nothing else: `-1` of `-1/2`. */
function isNegative({ text, exact }: FoundNumber): boolean {
  return text === exact && /^-\d{1,9}$/.test(exact);
}

function joinPower(base: FoundNumber, exponent: FoundNumber, text: string): Joined {
  const exact = powerOf(base, exponent);
  const number = spanning(base, exponent, { exact: exact ?? base.exact });
  if (exact !== undefined) return { number, count: 2 };
  const written = text.slice(base.start, exponent.end);
  const key = written.replace('**', '^');
  return {
    number,
    count: 2,
    code: { kind: 'code', key, text: written, start: base.start, end: exponent.end },
  };
}

/** Returns a power of ten, or a short one of another whole number: `2^10` is 1024. */
function powerOf(base: FoundNumber, exponent: FoundNumber): string | undefined {
  if (base.exact === '10') return shifted('1', exponent.exact);
  const isShort = /^\d{1,4}$/.test(base.text) && /^\d{1,2}$/.test(exponent.text);
  return isShort ? String(BigInt(base.exact) ** BigInt(exponent.exact)) : undefined;
}

function shifted(exact: string, exponent: string): string | undefined {
  return /^-?\d{1,3}$/.test(exponent) ? shiftDecimal(exact, Number(exponent)) : undefined;
}

function joinFraction(top: FoundNumber, bottom: FoundNumber, text: string): Joined {
  const isChain = text.charAt(top.start - 1) === '/' || text.charAt(bottom.end) === '/';
  if (isChain || bottom.exact === '0') return { number: top, count: 1 };
  return { number: spanning(top, bottom, ofFraction(BigInt(top.exact), BigInt(bottom.exact))), count: 2 };
}

function spanning(
  first: FoundNumber,
  last: FoundNumber,
  changed: Pick<Quantity, 'exact' | 'fraction'>,
): Quantity {
  return {
    ...first,
    ...changed,
    value: Number(changed.exact),
    text: `${first.text}…${last.text}`,
    end: last.end,
    currency: first.currency ?? last.currency,
    isPercent: last.isPercent,
  };
}

const glued = /\p{L}[\p{L}\p{M}]*/uy;
const unitAfter = /[ -]?((?:°\s?)?[\p{L}µΩ°][\p{L}\p{M}]*(?:\^?[23](?!\d))?(?:\/\p{L}+)?)/uy;
const degrees = /[ -]?(?:degrees?|deg|grad)(?: (celsius|fahrenheit|c|f)(?!\p{L}))?(?!\p{L})/iuy;
const powers = /[ -]?(?:(square|sq\.?|cubic|cu\.?) )(\p{L}+)/iuy;
const rate = /\s?(?:\/|per |pro |a |an |each |every )\s?(\p{L}+)/iuy;
// Words that are a unit only where nothing else can be meant.
const doubtful = new Set([
  'a',
  'A',
  'in',
  'b',
  't',
  'd',
  'N',
  'F',
  'C',
  'J',
  'bar',
  'second',
  'tag',
  'mi',
  'mo',
  'K',
]);

/** A reading of a text from a place on, by patterns that begin there. */
type Take = (pattern: RegExp) => RegExpExecArray | undefined;

interface Measured {
  readonly unit: Unit;
  readonly end: number;
}

function takeAt(text: string, place: number): Take {
  return (pattern) => {
    pattern.lastIndex = place;
    return pattern.exec(text) ?? undefined;
  };
}

function withUnit(number: Quantity, text: string): Term {
  const { start } = number;
  const measured = measure(number, text);
  const named = measured === undefined ? nameNumber(number, text) : undefined;
  if (named !== undefined) return named;
  const { end, per, word } = findRate(text, measured?.end ?? number.end);
  const rated = word === undefined ? undefined : unitOfRate(measured?.unit, word);
  const written = text.slice(start, end);
  const quantity: Quantity = {
    ...number,
    ...readBefore(text.slice(Math.max(0, start - 24), start)),
    ...readAfter(text, end),
    text: number.text.includes('…') ? written : number.text,
    end,
    unit: rated ?? measured?.unit,
    per: rated === undefined ? per : undefined,
  };
  return { kind: 'number', key: number.exact, text: written, start, end, quantity };
}

function measure({ isPercent, currency, end }: Quantity, text: string): Measured | undefined {
  if (isPercent || currency !== undefined) return undefined;
  const take = takeAt(text, end);
  return findPower(take) ?? findDegrees(take) ?? findFeet(take, text) ?? findUnit(take, text);
}

/** Returns a number with letters behind it as a name: 1st, 90s, 3d, 1080p; undefined for any other number. */
function nameNumber({ start, end, exact, isPercent }: Quantity, text: string): Term | undefined {
  const suffix = isPercent ? undefined : takeAt(text, end)(glued)?.[0];
  const isProduct = suffix === 'x' && /\d/.test(text.charAt(end + 1));
  if (suffix === undefined || isProduct) return undefined;
  const last = end + suffix.length;
  return {
    kind: 'code',
    key: `${exact}${suffix.toLowerCase()}`,
    text: text.slice(start, last),
    start,
    end: last,
  };
}

interface Rate {
  readonly end: number;
  readonly per?: string;
  /** The unit as it is written. */
  readonly word?: string;
}

function findRate(text: string, end: number): Rate {
  const found = takeAt(text, end)(rate);
  const word = found?.[1];
  const per = word === undefined ? undefined : rateOf(word);
  return found === undefined || per === undefined ? { end } : { end: end + found[0].length, per, word };
}

/** Reads `square meters`. */
function findPower(take: Take): Measured | undefined {
  const found = take(powers);
  const name = shortNames[found?.[2]?.toLowerCase() ?? ''];
  if (found?.[1] === undefined || name === undefined) return undefined;
  const unit = unitOf(`${name}^${/^c/i.test(found[1]) ? 3 : 2}`);
  return unit && { unit, end: found.index + found[0].length };
}

/** Reads `degrees Celsius`. */
function findDegrees(take: Take): Measured | undefined {
  const found = take(degrees);
  const unit = found && unitOf(`°${found[1]?.charAt(0).toLowerCase() ?? ''}`);
  return found && unit && { unit, end: found.index + found[0].length };
}

const feet = /'(?=\s?\d{1,2}\s?")/y;
const inches = /\s?"/y;

/** Reads the marks of `6'2"`. */
function findFeet(take: Take, text: string): Measured | undefined {
  const foot = take(feet);
  if (foot !== undefined) return { unit: unitOf('ft') as Unit, end: foot.index + 1 };
  const inch = take(inches);
  const isPart =
    inch !== undefined && /\d'\s?\d{1,2}$/.test(text.slice(Math.max(0, inch.index - 5), inch.index));
  return isPart ? { unit: unitOf('in') as Unit, end: inch.index + inch[0].length } : undefined;
}

function findUnit(take: Take, text: string): Measured | undefined {
  const word = take(unitAfter);
  if (word?.[1] === undefined) return undefined;
  const name = word[1].replace(/\s/gu, '');
  const end = word.index + word[0].length;
  const isSure = word[0] === word[1] || !/^\s?[\p{L}\d]/u.test(text.slice(end, end + 2));
  for (const candidate of [name, name.split('/')[0] ?? name]) {
    const unit = isSure || !doubtful.has(candidate) ? (degreesOf(word[0]) ?? unitOf(candidate)) : undefined;
    if (unit !== undefined) return { unit, end: end - (name.length - candidate.length) };
  }
  return undefined;
}

/** Returns the unit of a temperature whose sign is missing: `98.6 F`; a seat is `12C`. */
function degreesOf(written: string): Unit | undefined {
  return written === ' F' || written === ' C' ? unitOf(`°${written.trim()}`) : undefined;
}

const shortNames: Readonly<Record<string, string>> = {
  meter: 'm',
  meters: 'm',
  metre: 'm',
  metres: 'm',
  kilometer: 'km',
  kilometers: 'km',
  kilometres: 'km',
  centimeter: 'cm',
  centimeters: 'cm',
  foot: 'ft',
  feet: 'ft',
};
