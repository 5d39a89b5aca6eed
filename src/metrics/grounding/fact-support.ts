import { includesText } from '../../lib/includes-text.ts';
import { limitSteps } from '../../lib/step-limit.ts';
import { type CalendarDate, type DateStyle, findDates } from '../values/find-dates.ts';
import type { DateFact, Fact, NameFact, NumberFact, QuoteFact } from './fact.ts';
import { foldLink } from './find-links.ts';
import { findTimes } from './find-times.ts';
import { foldWords } from './fold-words.ts';
import { createNumberSet, type NumberSet } from './number-set.ts';
import { readNumbers } from './read-numbers.ts';

/** Whether the texts that it was made from hold a fact. */
export type Supports = (fact: Fact) => boolean;

/** Characters that are looked through at most for all facts of an answer: about a second. */
const mostLookedThrough = 1e9;

/**
 * Makes a look-up in sources. Numbers, dates and times are compared by value, names and quotations by their words. A
 * look-up throws `UnmeasurableError` (`too-long`) when those before have taken too long.
 */
export function createSupport(texts: readonly string[], style: DateStyle): Supports {
  const includes = createBoundedSearch();
  const lines = texts.map((text): Line => {
    const folded = foldWords(text);
    return { text, folded, words: new Set(folded.split(' ')) };
  });
  const dates = lazily(() =>
    texts.flatMap((text) => findDates(text, style).flatMap(({ readings }) => readings)),
  );
  const days = lazily(() => new Set(dates().flatMap((date) => [dayKey(date), monthKey(date)])));
  const months = lazily(() => new Set(dates().map(({ month }) => month)));
  const numbers = lazily(() => collectNumbers(texts, dates()));
  const times = lazily(() => new Set(texts.flatMap(findTimes).flatMap(({ readings }) => readings)));
  const links = lazily(() => texts.map(foldLink).join('\n'));
  return (fact) => {
    switch (fact.kind) {
      case 'number':
        return supportsNumber(fact, numbers());
      case 'date':
        return supportsDate(fact, days());
      case 'time':
        return fact.readings.some((minute) => times().has(minute));
      case 'link':
        return includes(links(), fact.address);
      case 'name':
        return supportsName(fact, lines, includes) || isMonthOf(fact, style, months());
      case 'quote':
        return supportsQuote(fact, lines, includes);
    }
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

/** A text as it is looked up in: as it stands, its folded words in order, and as a set. */
interface Line {
  readonly text: string;
  readonly folded: string;
  readonly words: ReadonlySet<string>;
}

/** The numbers by both decimal marks; a date supports its year, month and day standing alone. */
function collectNumbers(texts: readonly string[], dates: readonly CalendarDate[]): NumberSet {
  const inDates = dates.flatMap(({ year, month, day = month }) => [year, month, day]);
  return createNumberSet([
    ...texts.flatMap((text) => readNumbers(text).flatMap(({ readings }) => readings.flat())),
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
  lines: readonly Line[],
  includes: Includes,
): boolean {
  const needed = (isFirstOfSentence && words.length > 1 ? words.slice(1) : words).map(foldWords);
  const parts = needed.flatMap((word) => word.trim().split(' '));
  // What is one word when folded is known as such already.
  const phrases = needed.filter((word) => !/^ \S+ $/.test(word));
  return lines.some(
    ({ text, folded, words: known }) =>
      (parts.every((part) => known.has(part)) && phrases.every((phrase) => includes(folded, phrase))) ||
      includes(text, name),
  );
}

/** `August` alone is supported by any day in August. */
function isMonthOf({ words }: NameFact, { months }: DateStyle, known: ReadonlySet<number>): boolean {
  return words.every((word) => known.has(months.get(word.toLowerCase()) ?? Number.NaN));
}

function supportsQuote({ parts }: QuoteFact, lines: readonly Line[], includes: Includes): boolean {
  const wanted = parts.map((part) => ({ part, foldedPart: foldWords(part) }));
  return lines.some(({ text, folded }) =>
    wanted.every(({ part, foldedPart }) => includes(folded, foldedPart) || includes(text, part)),
  );
}

function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => (made ??= { value: make() }).value;
}
