import { limitSteps } from '../../../core/lib/compute-within.ts';
import { lazily } from '../../../core/lib/lazily.ts';
import { includesText } from '../../../core/lib/text/words.ts';
import type { CalendarDate, DateStyle } from '../../../core/lib/numbers/find-dates.ts';
import type { FoundNumber } from '../../../core/lib/numbers/find-numbers.ts';
import {
  type DateFact,
  type Fact,
  foldWords,
  type NameFact,
  type NumberFact,
  type QuoteFact,
} from './fact.ts';
import { foldLink } from './find-facts.ts';
import { createSourceReader, type Source } from './sources.ts';

/** A function that returns whether the texts it was created from support a fact. */
export type Supports = (fact: Fact) => boolean;

/** The most characters that are searched for all facts of an answer: about a second of work. */
const mostLookedThrough = 1e9;

/**
 * Creates a look-up of facts in sources. Numbers, dates and times are compared by value, names and quotations by their
 * words. A look-up throws `UnmeasurableError` (`too-long`) when the earlier ones have taken too long.
 * @param read - When several look-ups share it, texts that they have in common are read once.
 */
export function createSupport(
  texts: readonly string[],
  style: DateStyle,
  read = createSourceReader(style),
): Supports {
  const includes = createBoundedSearch();
  const sources = texts.map(read);
  const dates = lazily(() => sources.flatMap((source) => source.dates()));
  const days = lazily(() => new Set(dates().flatMap((date) => [dayKey(date), monthKey(date)])));
  const months = lazily(() => new Set(dates().map(({ month }) => month)));
  const numbers = lazily(() => collectNumbers(sources, dates()));
  const times = lazily(() => new Set(sources.flatMap((source) => source.times())));
  const links = lazily(() => texts.map(foldLink).join('\n'));
  const lookUp = (fact: Fact): boolean => {
    switch (fact.kind) {
      case 'number':
        return supportsNumber(fact, numbers());
      case 'date':
        return supportsDate(fact, days());
      case 'time':
        return fact.readings.some((minute) => times().has(minute));
      case 'link':
        return sources.some((source) => source.links().has(fact.address)) || includes(links(), fact.address);
      case 'name':
        return supportsName(fact, sources, includes) || isMonthOf(fact, style, months());
      case 'quote':
        return supportsQuote(fact, sources, includes);
    }
  };
  // The same words may occur in several facts, and looking them up reads all sources.
  const known = new Map<string, boolean>();
  return (fact) => {
    if (fact.kind !== 'name' && fact.kind !== 'quote' && fact.kind !== 'link') return lookUp(fact);
    const key = `${fact.kind} ${fact.kind === 'name' && fact.isFirstOfSentence} ${fact.text}`;
    const isSupported = known.get(key) ?? lookUp(fact);
    known.set(key, isSupported);
    return isSupported;
  };
}

type Includes = (text: string, wanted: string) => boolean;

function createBoundedSearch(): Includes {
  const count = limitSteps(
    mostLookedThrough,
    'the answer states too many things to look for in sources as long as these',
  );
  return (text, wanted) => {
    count(text.length + wanted.length);
    return includesText(text, wanted);
  };
}

/**
 * Collects the numbers of all sources, read with both decimal marks. A date also supports its year, month and day as
 * single numbers.
 */
function collectNumbers(sources: readonly Source[], dates: readonly CalendarDate[]): NumberSet {
  const inDates = dates.flatMap(({ year, month, day = month }) => [year, month, day]);
  return createNumberSet([
    ...sources.flatMap((source) => source.numbers()),
    ...inDates.map((value) => ({ value, isPercent: false })),
  ]);
}

function supportsNumber({ readings }: NumberFact, numbers: NumberSet): boolean {
  return readings.some((reading) => reading.every((part) => numbers.has(part)));
}

/** Returns whether the sources support a date: a month by any day in it, a day only by that day. */
function supportsDate({ readings }: DateFact, days: ReadonlySet<string>): boolean {
  return readings.some((date) => days.has(date.day === undefined ? monthKey(date) : dayKey(date)));
}

function monthKey({ year, month }: CalendarDate): string {
  return `${year}-${month}`;
}

function dayKey({ year, month, day }: CalendarDate): string {
  return `${year}-${month}-${day}`;
}

/**
 * Returns whether one text contains all words of a name. A word that begins a sentence need not be part of the name.
 */
function supportsName(
  { text: name, words, isFirstOfSentence }: NameFact,
  sources: readonly Source[],
  includes: Includes,
): boolean {
  const needed = (isFirstOfSentence && words.length > 1 ? words.slice(1) : words).map(foldWords);
  const parts = needed.flatMap((word) => word.trim().split(' '));
  // A single folded word has been looked up in `known` already.
  const phrases = needed.filter((word) => !/^ \S+ $/.test(word));
  return sources.some(
    ({ text, folded, words: known }) =>
      (parts.every((part) => known.has(part)) && phrases.every((phrase) => includes(folded, phrase))) ||
      includes(text, name),
  );
}

/** Returns whether a name is a month that a date supports: `August` alone is supported by any day in August. */
function isMonthOf({ words }: NameFact, { months }: DateStyle, known: ReadonlySet<number>): boolean {
  return words.every((word) => known.has(months.get(word.toLowerCase()) ?? Number.NaN));
}

function supportsQuote({ parts }: QuoteFact, sources: readonly Source[], includes: Includes): boolean {
  const wanted = parts.map((part) => ({ part, foldedPart: foldWords(part) }));
  return sources.some(({ text, folded }) =>
    wanted.every(({ part, foldedPart }) => includes(folded, foldedPart) || includes(text, part)),
  );
}

/** A set of numbers to look others up in. */
interface NumberSet {
  /**
   * Returns whether the set contains the number, or one that rounds to it at the stated digits: `442.3k` for 442310,
   * `4.5 %` for 0.0448. A whole number without a multiplier is exact. Signs are ignored: accounts keep expenses as
   * negative numbers.
   */
  has(stated: FoundNumber): boolean;
}

/** Creates a look-up by value in logarithmic time. */
export function createNumberSet(numbers: readonly Pick<FoundNumber, 'value' | 'isPercent'>[]): NumberSet {
  const sizesOf = (isPercent: boolean) =>
    Float64Array.from(
      numbers.filter((number) => number.isPercent === isPercent),
      ({ value }) => Math.abs(value),
    ).sort();
  const [plain, percents] = [sizesOf(false), sizesOf(true)];
  return {
    has: (stated) => {
      const size = Math.abs(stated.value);
      const slack = precisionOf(stated) / 2;
      const isThere = (sizes: Float64Array, scale: number) =>
        hasWithin(sizes, { center: size * scale, slack: slack * scale });
      if (isThere(plain, 1) || isThere(percents, 1)) return true;
      // 27.5 % equals 0.275 when only one side is a percentage.
      return stated.isPercent ? isThere(plain, 0.01) : isThere(percents, 100);
    },
  };
}

function hasWithin(sorted: Float64Array, { center, slack }: { center: number; slack: number }): boolean {
  const reach = slack + center * 1e-9;
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((sorted[middle] ?? 0) < center - reach) low = middle + 1;
    else high = middle;
  }
  return low < sorted.length && (sorted[low] ?? 0) <= center + reach;
}

/** Returns the value of one unit in the last stated digit; 0 for a whole number without a multiplier. */
function precisionOf({ text, value }: FoundNumber): number {
  const [digits = ''] = /\d[\d.,'’\u00a0\u202f ]*/u.exec(text) ?? [];
  const [, decimals = ''] = /[.,](\d{1,2}|0\d*)\s*$/u.exec(digits) ?? [];
  const mantissa = Number(digits.replace(/\D/gu, '')) / 10 ** decimals.length;
  const multiplier = mantissa === 0 ? 1 : Math.abs(value) / mantissa;
  const isExact = decimals === '' && multiplier < 1.5;
  return isExact ? 0 : multiplier / 10 ** decimals.length;
}
