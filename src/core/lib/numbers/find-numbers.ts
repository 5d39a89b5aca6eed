import { foldDigits, foldWidth, isAscii } from '../text/words.ts';
import { currencyOf, findCurrency, isMinorCurrency } from './currencies.ts';
import { canonicalDecimal } from './decimal.ts';

/** The decimal mark in a text; the other one of `.` and `,` then separates thousands. */
export type DecimalMark = '.' | ',';

/** A number found in a text. */
export interface FoundNumber {
  /** The number as written, with its sign, currency and multiplier; the digits are 0-9. */
  readonly text: string;
  /** The position of its digits in the text, in UTF-16 code units. */
  readonly index: number;
  /** Where it begins and ends in the text, with its sign, currency and multiplier. */
  readonly start: number;
  readonly end: number;
  /** The value including a multiplier (`442.3k` is 442300); a percentage is not divided by 100, and `5 ‰` is 0.5 of one. */
  readonly value: number;
  /** The value to the last digit, as the canonical decimal: two numbers are equal when these are. */
  readonly exact: string;
  /** The code of its currency, such as `USD`, when it has one. */
  readonly currency?: string;
  /** True for a number of hundredths of its currency: `99 cents`. */
  readonly isMinor?: boolean;
  readonly isPercent: boolean;
  /**
   * True for a number alone in parentheses, which means a negative one in accounts: `(1,204)`. Its value is still
   * positive.
   */
  readonly isParenthesized: boolean;
}

// Digits that are not numbers: dates, times of day, versions and addresses (1.2.3), but not thousands (1.204.300).
const notNumbers =
  /\d{4}-\d{2}-\d{2}(?:T[\d:.Z+-]*)?|\d{1,2}(?::\d{2})+(?!\d)|(?<![\d.])(?!\d{1,3}(?:\.\d{3})+(?![\d.]))\d+(?:\.\d+){2,}/g;

const wholes = [
  String.raw`\d{1,3}(?:,\d{3})+(?!\d)`,
  // Limited to as many groups as a number can have; without a limit, each of many pairs would be searched to the end.
  String.raw`\d{1,2}(?:,\d{2}){1,160},\d{3}(?!\d)`,
  String.raw`\d{1,3}(?:['’_\u00a0\u202f\u2009]\d{3})+(?!\d)`,
];
const otherMarks = String.raw`\d{1,3}(?:\.\d{3})+,\d{1,2}(?!\d)|\d{1,3}(?:\.\d{3}){2,}(?!\d)`;
const patterns: Readonly<Record<DecimalMark, RegExp>> = {
  '.': patternOf(wholes),
  ',': patternOf([...wholes, String.raw`\d{1,3}(?: \d{3})+(?!\d)`]),
};

function patternOf(alternatives: readonly string[]): RegExp {
  const usual = String.raw`(?:${alternatives.join('|')}|\d+)(?:\.\d+)?|\.\d+`;
  return new RegExp(
    String.raw`(?<![\d_]|\d\.)(?:(?<other>${otherMarks})|(?<usual>${usual}))(?:e(?<exponent>[+-]?\d{1,3})(?![\p{L}\d]))?`,
    'giu',
  );
}

/**
 * Finds every number in a text, from left to right, in the digits of any script. Numbers in words ("three") are not
 * found.
 */
export function findNumbers(text: string, decimalMark: DecimalMark = '.'): FoundNumber[] {
  if (!anyDigit.test(text)) return [];
  const isPlain = isAscii(text);
  const placeOf = isPlain ? (place: number) => place : placesIn(text);
  const written = isPlain ? text : foldDigits(foldWidth(text)).replace(/[\u2010-\u2013\u2212\ufe63]/g, '-');
  const marked =
    decimalMark === '.' ? written : written.replace(/[.,]/g, (mark) => (mark === '.' ? ',' : '.'));
  const plain = (isPlain ? marked : marked.replaceAll('٫', '.').replaceAll('٬', ',')).replace(
    notNumbers,
    (found) => ' '.repeat(found.length),
  );
  const found: FoundNumber[] = [];
  for (const match of plain.matchAll(patterns[decimalMark])) {
    const number = readNumber(match, { written, plain });
    if (number === undefined) continue;
    const { index, start, end } = number;
    found.push({ ...number, index: placeOf(index), start: placeOf(start), end: placeOf(end) });
  }
  return found;
}

const anyDigit = /\d|(?![\0-\x7f])\p{Nd}/u;
const longDigit = /[\ud800-\udbff][\udc00-\udfff]/g;

/** Returns the places in a text of places after its digits were folded; some digits are two code units long. */
function placesIn(text: string): (place: number) => number {
  const long = Array.from(text.matchAll(longDigit))
    .filter(([pair]) => /\p{Nd}/u.test(pair))
    .map(({ index }, before) => index - before);
  if (long.length === 0) return (place) => place;
  return (place) => {
    let low = 0;
    let high = long.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((long[middle] ?? 0) < place) low = middle + 1;
      else high = middle;
    }
    return place + low;
  };
}

/**
 * A text with plain digits, as written and with `.` as the decimal mark; each character has the same position in both.
 */
interface Reading {
  readonly written: string;
  readonly plain: string;
}

const currencyBefore =
  /(?:(?<!\p{L})(?:US|AU?|CA?|NZ|HK|SG?|MX|R|NT)\$|\p{Sc}|\b(?:USD?|EUR|GBP|JPY|CNY|INR|CHF|CAD|AUD|NZD|SEK|NOK|DKK|PLN|BRL|MXN|KRW|RUB|TRY|ZAR|HKD|SGD)|\bRs[.,]?)\s?$/u;
const letterBefore = /[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]$/u;
const signBefore = /(?<![\p{L}\p{N})])[+-]$/u;
const reach = 12;

/** Reads a number with its surroundings; undefined when letters before it make it part of a name (`Q3`). */
function readNumber(match: RegExpExecArray, { written, plain }: Reading): FoundNumber | undefined {
  const { other, usual = '', exponent = '0' } = match.groups ?? {};
  const end = match.index + match[0].length;
  const prefix = readPrefix(plain.slice(Math.max(0, match.index - reach), match.index));
  if (prefix === undefined) return undefined;
  const suffix = readSuffix(plain, end, prefix.isMoney);
  const digits = (other === undefined ? usual : other.replaceAll('.', '').replace(',', '.')).replace(
    /[^\d.]/g,
    '',
  );
  const power = Number(exponent) + suffix.exponent;
  const size = Number(`${digits}e${power}`);
  if (!Number.isFinite(size)) return undefined;
  const start = match.index - prefix.length;
  return {
    text: written.slice(start, suffix.end).trim(),
    index: match.index,
    start,
    end: suffix.end,
    value: prefix.isNegative ? -size : size,
    exact: canonicalDecimal(digits, power, prefix.isNegative),
    currency: prefix.currency ?? suffix.currency,
    ...(suffix.isMinor && prefix.currency === undefined && { isMinor: true }),
    isPercent: suffix.isPercent,
    isParenthesized: prefix.isOpen && /^\s?\)/.test(plain.slice(suffix.end, suffix.end + 2)),
  };
}

function readPrefix(before: string) {
  const innerSign = signBefore.exec(before)?.[0] ?? '';
  const unsigned = before.slice(0, before.length - innerSign.length);
  const money = currencyBefore.exec(unsigned)?.[0] ?? '';
  const bare = unsigned.slice(0, unsigned.length - money.length);
  if (money === '' && letterBefore.test(unsigned)) return undefined;
  const outerSign = money === '' ? '' : (signBefore.exec(bare)?.[0] ?? '');
  const rest = bare.slice(0, bare.length - outerSign.length);
  return {
    length: before.length - rest.length,
    isMoney: money !== '',
    currency: money === '' ? undefined : currencyOf(money),
    isNegative: innerSign === '-' || outerSign === '-',
    isOpen: /\(\s?$/.test(rest),
  };
}

const percent =
  /\s?(?:%|٪|per ?cent\b|prozent\b|pour ?cent\b|por ?ciento\b|por ?cento\b|per ?cento\b|procent\b|процент)/iuy;
/** A tenth of a percent. */
const perMille = /\s?(?:‰|per ?mille\b|promille\b)/iuy;
const glued = /[千万萬만億亿억兆]|\p{L}+/uy;
const apart = /[\s-](\p{L}{2,})/uy;
const apartFromMoney = /[\s-](\p{L}+)/uy;
const currencyAfter = /\s?\p{Sc}/uy;
const moneyAfter = /\s?\p{L}*\s?(?:\p{Sc}|(?:USD|EUR|GBP|CHF|dollars?|euros?|pounds?)\b)/iuy;

function readSuffix(plain: string, start: number, isMoneyBefore: boolean) {
  const share = readShare(plain, start);
  if (share !== undefined) return share;
  const isMoney = isMoneyBefore || matchAt(moneyAfter, plain, start) !== undefined;
  let end = start;
  let exponent = 0;
  for (;;) {
    const word = matchAt(glued, plain, end) ?? matchAt(isMoney ? apartFromMoney : apart, plain, end);
    const found = word === undefined ? 0 : magnitudeOf(word[1] ?? word[0], isMoney);
    if (word === undefined || found === 0) break;
    end += word[0].length;
    exponent += found;
  }
  const named = findCurrency(plain, end);
  end += matchAt(currencyAfter, plain, end)?.[0].length ?? 0;
  const isMinor = named !== undefined && isMinorCurrency(named);
  const currency = named === undefined ? undefined : currencyOf(named);
  return { end, exponent, isPercent: false, isMinor, currency };
}

/** Reads the sign or name of a percentage; `5 ‰` is 0.5 of one. */
function readShare(plain: string, start: number) {
  const percentAt = matchAt(percent, plain, start);
  const share = percentAt ?? matchAt(perMille, plain, start);
  if (share === undefined) return undefined;
  const exponent = percentAt === undefined ? -1 : 0;
  return { end: start + share[0].length, exponent, isPercent: true, isMinor: false, currency: undefined };
}

function matchAt(pattern: RegExp, text: string, index: number): RegExpExecArray | undefined {
  pattern.lastIndex = index;
  return pattern.exec(text) ?? undefined;
}

/** Words and letters that multiply the number before them, as powers of ten; in lower case without full stops. */
const exponents: Readonly<Record<string, number>> = {
  hundred: 2,
  thousand: 3,
  thousands: 3,
  lakh: 5,
  lakhs: 5,
  million: 6,
  millions: 6,
  crore: 7,
  crores: 7,
  billion: 9,
  billions: 9,
  trillion: 12,
  trillions: 12,
  tausend: 3,
  tsd: 3,
  millionen: 6,
  mio: 6,
  milliarde: 9,
  milliarden: 9,
  mrd: 9,
  mille: 3,
  milliard: 9,
  milliards: 9,
  millón: 6,
  millones: 6,
  milione: 6,
  milioni: 6,
  miliardo: 9,
  miliardi: 9,
  milhão: 6,
  milhões: 6,
  bilhão: 9,
  bilhões: 9,
  miljoen: 6,
  miljard: 9,
  тыс: 3,
  тысяч: 3,
  млн: 6,
  миллиона: 6,
  миллионов: 6,
  млрд: 9,
  千: 3,
  万: 4,
  萬: 4,
  만: 4,
  億: 8,
  亿: 8,
  억: 8,
  兆: 12,
  ألف: 3,
  مليون: 6,
  مليار: 9,
  k: 3,
  mn: 6,
  bn: 9,
  tn: 12,
};

/** Letters that multiply only as capitals or next to a currency: `5m` may be metres, `5M` and `$5m` are millions. */
const letters: Readonly<Record<string, number>> = { m: 6, mm: 6, b: 9, t: 12 };

/** Returns the power of ten that a word after a number stands for; 0 for a word that is not a multiplier. */
function magnitudeOf(word: string, isMoney: boolean): number {
  const lower = word.toLowerCase();
  const isCapital = word !== lower;
  return (
    (Object.hasOwn(exponents, lower) ? exponents[lower] : undefined) ??
    (isMoney || isCapital ? letterOf(lower) : 0)
  );
}

function letterOf(lower: string): number {
  return (Object.hasOwn(letters, lower) ? letters[lower] : undefined) ?? 0;
}
