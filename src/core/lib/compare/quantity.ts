import { canonicalDecimal, negateDecimal } from '../numbers/decimal.ts';
import type { FoundNumber } from '../numbers/find-numbers.ts';
import { isSameNumber } from '../numbers/same-number.ts';
import type { Unit } from './units.ts';

/** A number of a text with what it counts or measures. */
export interface Quantity extends FoundNumber {
  readonly unit?: Unit;
  /** The thing that it is given for: a month, a person. */
  readonly per?: string;
  /** The side of a limit: `at least 18`. */
  readonly bound?: 'at least' | 'at most' | 'more than' | 'less than';
  /** The end of a limit after the number: `8 characters or more`. */
  readonly boundEnd?: number;
  /** True where the text says that it is not the number: `not 43`, `instead of 43`. */
  readonly isDenied?: boolean;
  /** True for a number that is written as `XIV`. */
  readonly isRoman?: boolean;
  /** A fraction that is no decimal number: `1/3`. */
  readonly fraction?: readonly [bigint, bigint];
}

/**
 * Compares two quantities: `same`; `less` when the number is there without its unit or its limit; `other`.
 */
export function compareQuantities(given: Quantity, wanted: Quantity): 'same' | 'less' | 'other' {
  if (areBothPounds(given, wanted)) return given.exact === wanted.exact ? 'same' : 'other';
  if (areOthers(given.bound, wanted.bound) || areOthers(given.per, wanted.per)) return 'other';
  if (!haveSameSize(given, wanted)) {
    // A bare number is not the percentage, and may be all that the question asked for.
    const isBare = wanted.isPercent && !given.isPercent && given.unit === undefined;
    return isBare && given.exact === wanted.exact ? 'less' : 'other';
  }
  const isLess = isMissing(given.unit, wanted.unit) || isMissing(given.per, wanted.per);
  return isLess || given.bound !== wanted.bound ? 'less' : 'same';
}

/** Returns whether `3 pounds`, which may be money, is next to a weight in pounds. */
function areBothPounds(given: Quantity, wanted: Quantity): boolean {
  const isNamed = ({ text, currency }: Quantity) => currency === 'GBP' && !/[£G]/.test(text);
  const isWeight = ({ unit }: Quantity) => unit?.name === 'lb' || unit?.name === 'lbs';
  return (isNamed(given) && isWeight(wanted)) || (isNamed(wanted) && isWeight(given));
}

function areOthers(first: string | undefined, second: string | undefined): boolean {
  return first !== undefined && second !== undefined && first !== second;
}

function isMissing(given: unknown, wanted: unknown): boolean {
  return given === undefined && wanted !== undefined;
}

function haveSameSize(given: Quantity, wanted: Quantity): boolean {
  const [unit, other] = [given.unit, wanted.unit];
  if (unit === undefined || other === undefined || unit === other) {
    if (wanted.isPercent && given.unit !== undefined) return false;
    if (given.isPercent && other !== undefined) return false;
    return given.fraction === undefined && wanted.fraction === undefined
      ? haveSameValue(given, wanted) && haveSameZeros(given, wanted)
      : fractionKey(given) === fractionKey(wanted);
  }
  if (unit.dimension !== other.dimension) return false;
  const [first, second] = [given, wanted].map(asFraction);
  if (first === undefined || second === undefined) return false;
  const [[a, b], [c, d]] = [inBase(first, unit), inBase(second, other)];
  return a * d === c * b;
}

/** Returns a number in the base unit of its dimension. */
function inBase(
  [a, b]: readonly [bigint, bigint],
  { factor, offset = [0n, 1n] }: Unit,
): readonly [bigint, bigint] {
  return [(a * offset[1] + offset[0] * b) * factor[0], b * offset[1] * factor[1]];
}

function haveSameValue(given: Quantity, wanted: Quantity): boolean {
  if (isSameNumber(given, wanted)) return true;
  return wanted.isParenthesized && isSameNumber(given, { ...wanted, exact: negateDecimal(wanted.exact) });
}

/** `00123` and `02139` name something; `05` is 5. */
function haveSameZeros(given: Quantity, wanted: Quantity): boolean {
  const [first, second] = [zerosOf(given), zerosOf(wanted)];
  if (first !== second && [given, wanted].some(({ text }) => /^0\d{3,}$/.test(text))) return false;
  return first === second || (first === '' && second.length < 2) || (second === '' && first.length < 2);
}

function zerosOf({ text }: Quantity): string {
  return /^0+(?=\d)/.exec(text)?.[0] ?? '';
}

function fractionKey(quantity: Quantity): string | undefined {
  return asFraction(quantity)?.join('/');
}

const longest = 200;

/** Returns a number as a fraction in lowest terms; undefined for one of very many digits. */
export function asFraction({
  exact,
  fraction,
}: Pick<Quantity, 'exact' | 'fraction'>): readonly [bigint, bigint] | undefined {
  if (fraction !== undefined) return fraction;
  if (exact.length > longest) return undefined;
  const [whole = '0', part = ''] = exact.split('.');
  return lowest(BigInt(`${whole}${part}`), 10n ** BigInt(part.length));
}

function lowest(numerator: bigint, denominator: bigint): readonly [bigint, bigint] {
  let [a, b] = [numerator < 0n ? -numerator : numerator, denominator];
  while (b !== 0n) [a, b] = [b, a % b];
  return a === 0n ? [0n, 1n] : [numerator / a, denominator / a];
}

function ofDigits(whole: bigint, power: number): string {
  return canonicalDecimal(String(whole < 0n ? -whole : whole), power, whole < 0n);
}

/** Returns a fraction as a decimal where it is one, else in lowest terms. */
export function ofFraction(top: bigint, bottom: bigint): Pick<Quantity, 'exact' | 'fraction'> {
  const [a, b] = lowest(top, bottom);
  let places = 0;
  for (let size = 1n; places <= 40; places++, size *= 10n) {
    if (size % b === 0n) return { exact: ofDigits((a * size) / b, -places) };
  }
  return { exact: `${a}/${b}`, fraction: [a, b] };
}
