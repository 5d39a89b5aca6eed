import { foldText } from '../../lib/text/words.ts';
import type { CalendarDate } from '../values/find-dates.ts';
import type { FoundNumber } from '../values/find-numbers.ts';

/** The kinds of facts that can be checked without understanding a text. */
export const factKinds = ['number', 'date', 'time', 'name', 'quote', 'link'] as const;
export type FactKind = (typeof factKinds)[number];

interface Stated {
  /** As the answer states it. */
  readonly text: string;
  /** Where it begins in the answer, in UTF-16 code units. */
  readonly index: number;
}

/** A number with every way of reading it, `1.204` being 1.204 or 1204; with the wrong decimal mark it falls into several. */
export type NumberFact = Stated & {
  readonly kind: 'number';
  readonly readings: readonly (readonly FoundNumber[])[];
};

/** A date with every day that it can be read as. */
export type DateFact = Stated & { readonly kind: 'date'; readonly readings: readonly CalendarDate[] };

/** A time of day, with every minute since midnight that it can be read as. */
export type TimeFact = Stated & { readonly kind: 'time'; readonly readings: readonly number[] };

/** The capitalised words of a name. */
export type NameFact = Stated & {
  readonly kind: 'name';
  readonly words: readonly string[];
  /** The first word begins a sentence, so that its capital says nothing. */
  readonly isFirstOfSentence: boolean;
};

/** A quotation, in the parts between the dots that stand for what was left out. */
export type QuoteFact = Stated & { readonly kind: 'quote'; readonly parts: readonly string[] };

/** A web or mail address, as given and in the form in which it is compared. */
export type LinkFact = Stated & { readonly kind: 'link'; readonly address: string };

/** Something that an answer states and that can be looked up word for word, or value for value. */
export type Fact = NumberFact | DateFact | TimeFact | NameFact | QuoteFact | LinkFact;

/**
 * The words of a text with one space between them and around them, in the form in which they are looked up: without case,
 * accents kept, punctuation and the possessive s left out.
 */
export function foldWords(text: string): string {
  const folded = foldText(text)
    .toLowerCase()
    .replace(/['’]s(?![\p{L}\p{N}])/gu, '');
  return ` ${folded
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '')
    .join(' ')} `;
}
