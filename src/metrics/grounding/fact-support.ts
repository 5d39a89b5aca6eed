import { includesText } from '../../lib/includes-text.ts';
import { lazily } from '../../lib/lazily.ts';
import { limitSteps } from '../../lib/step-limit.ts';
import type { CalendarDate, DateStyle } from '../values/find-dates.ts';
import type { DateFact, Fact, NameFact, NumberFact, QuoteFact } from './fact.ts';
import { foldLink } from './find-links.ts';
import { foldWords } from './fold-words.ts';
import { createNumberSet, type NumberSet } from './number-set.ts';
import { createSourceReader, type Source } from './read-source.ts';

/** Whether the texts that it was made from hold a fact. */
export type Supports = (fact: Fact) => boolean;

/** Characters that are looked through at most for all facts of an answer: about a second. */
const mostLookedThrough = 1e9;

/**
 * Makes a look-up in sources. Numbers, dates and times are compared by value, names and quotations by their words. A
 * look-up throws `UnmeasurableError` (`too-long`) when those before have taken too long.
 * @param read - Shared by several look-ups, it reads what they have in common once.
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
  // Words may be stated many times, and looking them up reads all the sources.
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

/** The numbers by both decimal marks; a date supports its year, month and day standing alone. */
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

/** A month is supported by any day in it, a day by that day alone. */
function supportsDate({ readings }: DateFact, days: ReadonlySet<string>): boolean {
  return readings.some((date) => days.has(date.day === undefined ? monthKey(date) : dayKey(date)));
}

function monthKey({ year, month }: CalendarDate): string {
  return `${year}-${month}`;
}

function dayKey({ year, month, day }: CalendarDate): string {
  return `${year}-${month}-${day}`;
}

/** All words of a name in one text; a word that begins a sentence may be no part of it. */
function supportsName(
  { text: name, words, isFirstOfSentence }: NameFact,
  sources: readonly Source[],
  includes: Includes,
): boolean {
  const needed = (isFirstOfSentence && words.length > 1 ? words.slice(1) : words).map(foldWords);
  const parts = needed.flatMap((word) => word.trim().split(' '));
  // What is one word when folded is known as such already.
  const phrases = needed.filter((word) => !/^ \S+ $/.test(word));
  return sources.some(
    ({ text, folded, words: known }) =>
      (parts.every((part) => known.has(part)) && phrases.every((phrase) => includes(folded, phrase))) ||
      includes(text, name),
  );
}

/** `August` alone is supported by any day in August. */
function isMonthOf({ words }: NameFact, { months }: DateStyle, known: ReadonlySet<number>): boolean {
  return words.every((word) => known.has(months.get(word.toLowerCase()) ?? Number.NaN));
}

function supportsQuote({ parts }: QuoteFact, sources: readonly Source[], includes: Includes): boolean {
  const wanted = parts.map((part) => ({ part, foldedPart: foldWords(part) }));
  return sources.some(({ text, folded }) =>
    wanted.every(({ part, foldedPart }) => includes(folded, foldedPart) || includes(text, part)),
  );
}
