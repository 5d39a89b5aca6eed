import { currencyNames } from '../numbers/currencies.ts';
import { negateDecimal, shiftDecimal } from '../numbers/decimal.ts';
import { type DecimalMark, findNumbers, type FoundNumber } from '../numbers/find-numbers.ts';
import { isSameNumber, soleNumber } from '../numbers/same-number.ts';
import { foldDigits } from '../text/words.ts';

/** The outcome of a search. */
export interface Finding {
  readonly isFound: boolean;
  /** The part that was found, as it is written, where that differs; for a text that is missing, the longer word around it. */
  readonly as?: string;
}

/** The rules of a search for numbers. */
interface NumberRules {
  readonly decimalMark: DecimalMark;
  /** True when a number without a currency is found for one with a currency; else it may count anything. */
  readonly isAnyCurrency?: boolean;
}

/**
 * Creates a search for numbers by their value, however they are written. It returns undefined for a text that is no number,
 * or an id such as `007`.
 */
export function createNumberSearch(
  searched: string,
  rules: NumberRules,
): (text: string) => Finding | undefined {
  const index = new NumberIndex(searched, rules);
  return (text) => {
    if (!/\p{Nd}/u.test(text)) return undefined;
    const wanted = readQuantity(text, rules.decimalMark) ?? readOtherMark(text, rules.decimalMark);
    if (wanted === undefined || /^\D*0\d/.test(text)) return undefined;
    if (!index.mayHave(wanted)) return { isFound: false };
    const found = index.find(wanted);
    return found === undefined
      ? (findInTime(wanted, searched) ?? { isFound: false, as: index.findNearest(wanted) })
      : describe(found, text, searched);
  };
}

/** The numbers of a text by their values, each part made when it is first needed. */
class NumberIndex {
  readonly #searched: string;
  readonly #rules: NumberRules;
  #digits?: string;
  #numbers?: readonly FoundNumber[];
  #usual?: NumbersByValue;
  #marked?: NumbersByValue;

  constructor(searched: string, rules: NumberRules) {
    this.#searched = searched;
    this.#rules = rules;
  }

  /** Returns false when the digits that a number has in every notation are nowhere in the text. */
  mayHave({ exact }: FoundNumber): boolean {
    this.#digits ??= foldDigits(this.#searched).replace(/\D/g, '');
    return this.#digits.includes(exact.replace(/\D/g, '').replace(/^0+/, '').replace(/0+$/, ''));
  }

  find(wanted: FoundNumber): FoundNumber | undefined {
    this.#usual ??= byValue(this.#read());
    const found = pick(this.#usual, wanted, this.#rules);
    const fraction = wanted.exact.split('.')[1];
    // A decimal comma or point cannot be taken for one that groups thousands, unless three digits follow it.
    if (found !== undefined || fraction === undefined || fraction.length === 3) return found;
    const mark = this.#rules.decimalMark === '.' ? ',' : '.';
    this.#marked ??= byValue(findWholeNumbers(this.#searched, mark));
    return pick(this.#marked, wanted, this.#rules);
  }

  /** Returns another number in which the digits stand, if there is one. */
  findNearest({ exact }: FoundNumber): string | undefined {
    const digits = exact.replace(/\D/g, '');
    const other = this.#read().find((number) => number.exact.replace(/\D/g, '').includes(digits));
    return other === undefined ? undefined : this.#searched.slice(other.start, other.end);
  }

  #read(): readonly FoundNumber[] {
    this.#numbers ??= findWholeNumbers(this.#searched, this.#rules.decimalMark);
    return this.#numbers;
  }
}

type NumbersByValue = ReadonlyMap<string, readonly FoundNumber[]>;

/** Returns the numbers of a text without the bases of powers and the numerators of fractions: `10^6`, `1/2`. */
function findWholeNumbers(searched: string, decimalMark: DecimalMark): FoundNumber[] {
  return findNumbers(searched, decimalMark).filter(
    ({ start, end }) =>
      !/^(?:[\^/]\d|[²³¹⁰⁴-⁹])/u.test(searched.slice(end, end + 2)) &&
      !/\d[\^/]$/.test(searched.slice(Math.max(0, start - 2), start)),
  );
}

const currencyName = new RegExp(String.raw`^[\s-]?(?:${currencyNames})$`, 'iu');

/** Returns the number that a text consists of, with the name of its currency after it: `18 dollars`. */
function readQuantity(text: string, decimalMark: DecimalMark): FoundNumber | undefined {
  const sole = soleNumber(text, decimalMark);
  if (sole !== undefined) return sole;
  const named = /^\S+[\s-]?\p{L}+$/u.test(text) ? findNumbers(text, decimalMark)[0] : undefined;
  return named?.start === 0 && currencyName.test(text.slice(named.end)) ? named : undefined;
}

/** Reads a number with the other decimal mark, where that mark cannot group thousands: `1,5`. */
function readOtherMark(text: string, decimalMark: DecimalMark): FoundNumber | undefined {
  const mark = decimalMark === '.' ? ',' : '.';
  const [, digits = ''] = text.split(mark);
  return /^\d{1,2}(?!\d)/.test(digits) ? readQuantity(text, mark) : undefined;
}

function byValue(numbers: readonly FoundNumber[]): Map<string, FoundNumber[]> {
  const places = new Map<string, FoundNumber[]>();
  for (const number of numbers) {
    const hasShare = number.isPercent || number.isMinor === true;
    const values = hasShare ? [number.exact, shiftDecimal(number.exact, -2)] : [number.exact];
    for (const value of number.isParenthesized ? [...values, ...values.map(negateDecimal)] : values) {
      const known = places.get(value);
      if (known === undefined) places.set(value, [number]);
      else if (known.length < mostOfOneValue) known.push(number);
    }
  }
  return places;
}

/** The most numbers of one value that are looked at: they may differ in their currency and percent sign. */
const mostOfOneValue = 200;

function pick(
  places: ReadonlyMap<string, readonly FoundNumber[]>,
  wanted: FoundNumber,
  { isAnyCurrency = false }: NumberRules,
): FoundNumber | undefined {
  const targets =
    wanted.isPercent || wanted.isMinor === true
      ? [wanted.exact, shiftDecimal(wanted.exact, -2)]
      : [wanted.exact];
  const all = targets.flatMap((target) => places.get(target) ?? []);
  const needsCurrency = wanted.currency !== undefined && !isAnyCurrency;
  return all.find(
    (number) => isSameNumber(number, wanted) && (!needsCurrency || number.currency !== undefined),
  );
}

function describe({ start, end }: FoundNumber, text: string, searched: string): Finding {
  const as = searched.slice(start, end);
  return as === text.trim() ? { isFound: true } : { isFound: true, as };
}

/** Finds the year of a date such as 2024-08-01 and of FY2024, and the hour of a time such as 9:00. */
function findInTime({ exact, text, currency }: FoundNumber, searched: string): Finding | undefined {
  if (text !== exact || currency !== undefined || !/^(?:\d{1,2}|\d{4})$/.test(exact)) return undefined;
  const pattern =
    exact.length === 4
      ? String.raw`(?<!\p{L})(?:FY|CY) ?${exact}(?!\d)|(?<!\p{L}|\p{N}[.,-]?)${exact}[-/]\d{1,2}[-/]\d{1,2}(?!\d)|(?<!\d)\d{1,2}[-/.]\d{1,2}[-/.]${exact}(?!\d)`
      : String.raw`(?<!\p{L}|\p{N}[.,:]?)0?${exact}:00(?![\d:])`;
  const as = new RegExp(pattern, 'u').exec(searched)?.[0];
  return as === undefined ? undefined : { isFound: true, as };
}
