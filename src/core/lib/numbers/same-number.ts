import type { ExactNumber } from '../json/exact-number.ts';
import { areSameCurrencies } from './currencies.ts';
import { canonicalDecimal, negateDecimal, shiftDecimal } from './decimal.ts';
import { type DecimalMark, findNumbers, type FoundNumber } from './find-numbers.ts';

/**
 * Returns whether a number that was found is the expected one, to the last digit. 12.5 % equals both 12.5 and 0.125
 * when 12.5 or 0.125 was expected, but a bare 12.5 is not 12.5 %. A number alone in parentheses may be negative.
 * Another currency is another number; a currency that only one side names is no difference. 99 cents are 0.99 dollars.
 */
export function isSameNumber(found: FoundNumber, expected: FoundNumber): boolean {
  if (!areSameCurrencies(found.currency, expected.currency)) return false;
  const isHundredth =
    (expected.isPercent && !found.isPercent) || (expected.isMinor === true && isWholeMoney(found));
  const target = isHundredth ? shiftDecimal(expected.exact, -2) : expected.exact;
  const values = found.isMinor === true && isWholeMoney(expected) ? [] : [found.exact];
  if (found.isMinor === true && expected.isMinor !== true) values.push(shiftDecimal(found.exact, -2));
  if (found.isPercent && !expected.isPercent) values.push(shiftDecimal(found.exact, -2));
  if (found.isParenthesized) values.push(...values.map(negateDecimal));
  return values.includes(target);
}

/** Returns whether a number counts dollars, euros or the like, and no hundredths of them. */
function isWholeMoney({ currency, isMinor }: FoundNumber): boolean {
  return currency !== undefined && isMinor !== true;
}

/**
 * Returns the number that a text consists of, with its sign, currency, percent sign and multiplier; undefined when the
 * text is anything else, such as a name (`Q3`), a version, a date, or a number with its unit.
 */
export function soleNumber(text: string, decimalMark: DecimalMark = '.'): FoundNumber | undefined {
  const trimmed = text.trim();
  const [number, ...others] = findNumbers(trimmed, decimalMark);
  return others.length === 0 && number?.start === 0 && number.end === trimmed.length ? number : undefined;
}

/** The largest power of ten that is written out. */
const mostZeros = 1000;

/** Returns a value as a number of a text, to be compared with those that are found. */
export function asFoundNumber(value: number | bigint | ExactNumber): FoundNumber {
  const text = String(value);
  const [digits = '', exponent = '0'] = text.split('e');
  return {
    text,
    index: 0,
    start: 0,
    end: text.length,
    value: Number(value),
    // A number that no text writes out in full is only equal to itself.
    exact:
      Math.abs(Number(exponent)) > mostZeros
        ? text
        : canonicalDecimal(digits.replace('-', ''), Number(exponent), digits.startsWith('-')),
    isPercent: false,
    isParenthesized: false,
  };
}
