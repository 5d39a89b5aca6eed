import { type ExactNumber, exactNumber, isNumber } from '../../../core/lib/json/exact-number.ts';

/** Marks of a currency and of a per cent, which say nothing about the number itself. */
const marks = /[\p{Sc}%\u00a0\u202f\s]|\b(?:eur|usd|gbp|chf)\b/giu;
/** A number with a decimal comma, or with groups of three digits after full stops: `49,90`, `1.204,50`. */
const withComma = /^[+-]?(?:\d+|\d{1,3}(?:\.\d{3})+),\d+$/;
/** Groups of three digits after commas, which are never decimals: `1,204`, `442,300.50`. */
const grouped = /^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/;
const plain = /^[+-]?(?:\d+\.?\d*|\.\d+)$/;

/** Returns the number that a text consists of, in English or German notation; undefined for any other text. */
function readNumber(text: string): number | ExactNumber | undefined {
  const digits = text.replace(marks, '').replace('\u2212', '-');
  if (grouped.test(digits)) return exactNumber(digits.replaceAll(',', ''));
  if (withComma.test(digits)) return exactNumber(digits.replaceAll('.', '').replace(',', '.'));
  return plain.test(digits) ? exactNumber(digits) : undefined;
}

/** Returns whether a text is one number with a decimal comma, such as `49,90` or `1.204,50 €`, and not a list. */
export function isDecimalComma(text: string): boolean {
  return withComma.test(text.replace(marks, ''));
}

/**
 * Converts expected numbers to our spelling: a number or its text alone, or a list of them, such as `320`, `[320, 12]` or
 * `320; 49,90` in a cell. What is no number is left for the schema to refuse.
 */
export function readExpectedNumbers(raw: unknown): unknown {
  if (isNumber(raw)) return [{ value: raw }];
  if (typeof raw === 'string') {
    const items = raw.split(/[|;\r\n]/).filter((item) => item.trim() !== '');
    const read = items.map(readExpectedNumber);
    return read.every((item) => typeof item === 'object') ? read : raw;
  }
  if (Array.isArray(raw)) return raw.map(readExpectedNumber);
  return typeof raw === 'object' && raw !== null ? [raw] : raw;
}

function readExpectedNumber(item: unknown): unknown {
  if (isNumber(item)) return { value: item };
  const value = typeof item === 'string' ? readNumber(item) : undefined;
  return value === undefined ? item : { value };
}

/** A mass, which is a fact about a thing and no weight of a case: `2 kg`, `1,5 t`. */
const mass = /^\s*[+-]?\d[\d.,]*\s*(?:mg|g|kg|t|oz|lbs?|pounds?|grams?|kilos?|tons?|tonnes?)\.?\s*$/i;

/** Returns whether the value of a column `weight` says nothing of the case: an empty cell, or the mass of a thing. */
export function isOtherWeight(raw: unknown): boolean {
  return typeof raw === 'string' && (raw.trim() === '' || mass.test(raw));
}

/** Reads the weight of a case from a text, in English or German notation; a text that is no number stays one. */
export function readWeight(text: string): unknown {
  const value = readNumber(text);
  return value === undefined ? text : Number(value);
}

/** Returns a weight as the nearest double; any other value as it is. */
export function toWeight(raw: unknown): unknown {
  return isNumber(raw) ? Number(raw) : raw;
}
