/**
 * A number of JSON whose digits a double would lose: a whole number beyond 2^53 such as the id of a message, a decimal with
 * more digits than a double holds, an exponent beyond 308. `String(number)` and templates give its digits,
 * `JSON.stringify` writes them, arithmetic uses the nearest double, and `BigInt(String(number))` is exact for whole
 * ones. Made by {@link exactNumber} only, so that two of them are equal only if their digits are.
 */
export class ExactNumber {
  /** The number as JSON, in one form for each value: `9007199254740993` for `9007199254740993.0` too. */
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  /** Returns the nearest double, for arithmetic and for `<`; `Infinity` beyond the largest. */
  valueOf(): number {
    return Number(this.digits);
  }

  toString(): string {
    return this.digits;
  }

  /** Makes `JSON.stringify` write the digits as a number, or as a text in browsers that cannot write a number so. */
  toJSON(): unknown {
    return rawJson === undefined ? this.digits : rawJson(this.digits);
  }

  /** Makes `console.log` of Node.js show the digits. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return this.digits;
  }
}

/** `JSON.rawJSON`, which TypeScript's libraries do not declare yet. */
const rawJson = (JSON as { readonly rawJSON?: (text: string) => unknown }).rawJSON;

/** The text of a number in JSON, and of decimals in other formats (`+1`, `007`, `.5`). */
const numberText = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;

/** The longest text of a number that is known to survive as a double, if it has no exponent of three digits. */
const shortText = 15;

/**
 * Returns the number that a text states in decimal digits: a double whose `String` has the same value, else an
 * {@link ExactNumber}. Undefined for another text.
 */
export function exactNumber(text: string): number | ExactNumber | undefined {
  const parts = numberText.exec(text);
  if (parts === null) return undefined;
  const [, sign, whole = '', fraction = '', exponent] = parts;
  if (whole === '' && fraction === '') return undefined;
  const double = Number(text);
  if (text.length <= shortText && exponent === undefined) return double;
  if (String(double) === text) return double;
  const digits = plainDigits(sign === '-', whole + fraction, fractionPoint(whole, exponent));
  if (digits === undefined) return new ExactNumber(text);
  return isSameDecimal(digits, double) ? double : new ExactNumber(digits);
}

/** Returns the number that a bigint is: a double where that is exact, else an {@link ExactNumber}. */
export function exactNumberOf(value: bigint): number | ExactNumber {
  return Number.isSafeInteger(Number(value)) ? Number(value) : (exactNumber(String(value)) as ExactNumber);
}

/** Returns whether a value is a number of JSON, long or short. */
export function isNumber(value: unknown): value is number | ExactNumber {
  return typeof value === 'number' || value instanceof ExactNumber;
}

/** Returns whether a value is a whole number whose digits are all known: no double beyond 2^53 is. */
export function isWholeNumber(value: unknown): value is number | ExactNumber {
  return value instanceof ExactNumber ? /^-?\d+$/.test(value.digits) : Number.isSafeInteger(value);
}

/**
 * Returns whether two numbers are equal, digit by digit: 1.0 equals 1, and 9007199254740993 is not 9007199254740992. A
 * double stands for the digits that `String` gives it, as in JSON.
 */
export function isSameNumber(one: number | ExactNumber, other: number | ExactNumber): boolean {
  return one instanceof ExactNumber && other instanceof ExactNumber
    ? one.digits === other.digits
    : one === other;
}

/**
 * Compares two numbers digit by digit: below 0 where the first is smaller, 0 where they are equal. NaN where one of them
 * is NaN.
 */
export function compareNumbers(one: number | ExactNumber, other: number | ExactNumber): number {
  const [near, otherNear] = [Number(one), Number(other)];
  if (near !== otherNear) return near - otherNear;
  if (isSameNumber(one, other)) return 0;
  return compareDecimals(decimalOf(String(one)), decimalOf(String(other)));
}

/** A decimal number: 0.`digits` times ten to the power `point`; the digits neither begin nor end with 0. */
interface Decimal {
  readonly isNegative: boolean;
  readonly digits: string;
  readonly point: number;
}

function decimalOf(text: string): Decimal {
  const [, sign, whole = '', fraction = '', exponent] = numberText.exec(text) ?? [];
  return toDecimal(sign === '-', whole + fraction, whole.length + Number(exponent ?? 0));
}

function toDecimal(isNegative: boolean, written: string, point: number): Decimal {
  const start = written.search(/[1-9]/);
  if (start < 0) return { isNegative: false, digits: '', point: 0 };
  return { isNegative, digits: withoutZeros(written.slice(start)), point: point - start };
}

function withoutZeros(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits.charCodeAt(end - 1) === 0x30) end -= 1;
  return digits.slice(0, end);
}

function isSameDecimal(digits: string, double: number): boolean {
  if (!Number.isFinite(double)) return false;
  return compareDecimals(decimalOf(digits), decimalOf(String(double))) === 0;
}

function compareDecimals(one: Decimal, other: Decimal): number {
  if (one.isNegative !== other.isNegative) return one.isNegative ? -1 : 1;
  const size = compareSizes(one, other);
  return one.isNegative ? -size : size;
}

function compareSizes(one: Decimal, other: Decimal): number {
  if (one.digits === other.digits) return one.digits === '' ? 0 : Math.sign(one.point - other.point);
  if (one.digits === '' || other.digits === '') return one.digits === '' ? -1 : 1;
  if (one.point !== other.point) return Math.sign(one.point - other.point);
  return one.digits < other.digits ? -1 : 1;
}

/** Returns where the point stands among the digits; undefined for an exponent whose own digits a double would lose. */
function fractionPoint(whole: string, exponent: string | undefined): number | undefined {
  const point = whole.length + Number(exponent ?? 0);
  return Math.abs(point) < 2 ** 50 ? point : undefined;
}

/** The number of zeros that are written out at the end of a whole number, or at the beginning of a fraction. */
const mostZeros = 21;

/** Returns a number in the one form of its value; undefined where the point is unknown. */
function plainDigits(
  isNegative: boolean,
  written: string,
  pointWritten: number | undefined,
): string | undefined {
  if (pointWritten === undefined) return /[1-9]/.test(written) ? undefined : '0';
  const { digits, point } = toDecimal(isNegative, written, pointWritten);
  if (digits === '') return '0';
  const sign = isNegative ? '-' : '';
  if (point > digits.length + mostZeros || point < -mostZeros) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : '';
    return `${sign}${digits[0]}${fraction}e${point > 0 ? '+' : '-'}${Math.abs(point - 1)}`;
  }
  if (point >= digits.length) return sign + digits.padEnd(point, '0');
  if (point > 0) return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
  return `${sign}0.${'0'.repeat(-point)}${digits}`;
}
