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

/** The longest text of a number that survives as a double, if it has no exponent. */
const shortText = 15;

/** The longest whole number that `String` writes without an exponent. */
const plainWhole = 21;

/**
 * Returns the number that a text states in decimal digits: a double whose `String` has the same value, else an
 * {@link ExactNumber}. Undefined for another text.
 */
export function exactNumber(text: string): number | ExactNumber | undefined {
  const parts = partsOf(text);
  if (parts === undefined) return undefined;
  const double = Number(text);
  if (text.length <= shortText && parts.exponent === '') return double;
  if (String(double) === text) return double;
  if (parts.isPlainWhole && text.length <= plainWhole) return new ExactNumber(text);
  const digits = plainDigits(parts.isNegative, parts.whole + parts.fraction, fractionPoint(parts));
  if (digits === undefined) return new ExactNumber(text);
  return isSameDecimal(digits, double) ? double : new ExactNumber(digits);
}

/** The parts of the text of a number, as JSON and other formats (`+1`, `007`, `.5`) have it. */
interface NumberParts {
  readonly isNegative: boolean;
  readonly whole: string;
  readonly fraction: string;
  /** With its sign; empty without an exponent. */
  readonly exponent: string;
  /** True for digits alone, of which the first is no 0. */
  readonly isPlainWhole: boolean;
}

/** Splits the text of a number, without regular expressions, which cannot hold ten million digits. */
function partsOf(text: string): NumberParts | undefined {
  const first = text.charCodeAt(0);
  const start = first === 0x2b || first === 0x2d ? 1 : 0;
  const wholeEnd = endOfDigits(text, start);
  const hasPoint = text.charCodeAt(wholeEnd) === 0x2e;
  const fractionEnd = hasPoint ? endOfDigits(text, wholeEnd + 1) : wholeEnd;
  const whole = text.slice(start, wholeEnd);
  const fraction = hasPoint ? text.slice(wholeEnd + 1, fractionEnd) : '';
  const exponent = fractionEnd === text.length ? '' : exponentOf(text, fractionEnd);
  if (exponent === undefined || (whole === '' && fraction === '')) return undefined;
  const isPlainWhole = wholeEnd === text.length && text.charCodeAt(start) !== 0x30 && first !== 0x2b;
  return { isNegative: first === 0x2d, whole, fraction, exponent, isPlainWhole };
}

/** Returns the exponent that ends a text; undefined for any other text. */
function exponentOf(text: string, at: number): string | undefined {
  if ((text.charCodeAt(at) | 0x20) !== 0x65) return undefined;
  const sign = text.charCodeAt(at + 1);
  const digits = sign === 0x2b || sign === 0x2d ? at + 2 : at + 1;
  return digits < text.length && endOfDigits(text, digits) === text.length ? text.slice(at + 1) : undefined;
}

function endOfDigits(text: string, start: number): number {
  let end = start;
  for (let code = text.charCodeAt(end); code >= 0x30 && code <= 0x39; code = text.charCodeAt(end)) end += 1;
  return end;
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
  if (!(value instanceof ExactNumber)) return Number.isSafeInteger(value);
  const { digits } = value;
  return endOfDigits(digits, digits.startsWith('-') ? 1 : 0) === digits.length;
}

/**
 * Returns whether two numbers are equal, digit by digit: 1.0 equals 1, and 9007199254740993 is not 9007199254740992. A
 * double means the digits that `String` gives it, as in JSON.
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
  const parts = partsOf(text);
  if (parts === undefined) return toDecimal(false, '', 0);
  return toDecimal(
    parts.isNegative,
    parts.whole + parts.fraction,
    parts.whole.length + Number(parts.exponent),
  );
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

/** Returns the place of the point among the digits; undefined for an exponent whose own digits a double would lose. */
function fractionPoint({ whole, exponent }: NumberParts): number | undefined {
  const point = whole.length + Number(exponent);
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
