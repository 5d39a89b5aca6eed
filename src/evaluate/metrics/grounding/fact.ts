import { foldText } from '../../../core/lib/text/words.ts';
import type { CalendarDate } from '../../../core/lib/numbers/find-dates.ts';
import type { FoundNumber } from '../../../core/lib/numbers/find-numbers.ts';

/** The kinds of facts that can be checked without understanding a text. */
export const factKinds = ['number', 'date', 'time', 'name', 'quote', 'link'] as const;
export type FactKind = (typeof factKinds)[number];

interface Stated {
  /** The fact as the answer states it. */
  readonly text: string;
  /** The position in the answer, in UTF-16 code units. */
  readonly index: number;
}

/**
 * A number with every way to read it: `1.204` is 1.204 or 1204. With the wrong decimal mark it may be several numbers.
 */
export type NumberFact = Stated & {
  readonly kind: 'number';
  readonly readings: readonly (readonly FoundNumber[])[];
};

/** A date with every day that it can mean. */
export type DateFact = Stated & { readonly kind: 'date'; readonly readings: readonly CalendarDate[] };

/** A time of day with every minute since midnight that it can mean. */
export type TimeFact = Stated & { readonly kind: 'time'; readonly readings: readonly number[] };

/** A name with its capitalised words. */
export type NameFact = Stated & {
  readonly kind: 'name';
  readonly words: readonly string[];
  /** True when the first word begins a sentence, where a capital proves nothing. */
  readonly isFirstOfSentence: boolean;
};

/** A quotation as the parts between its ellipses. */
export type QuoteFact = Stated & { readonly kind: 'quote'; readonly parts: readonly string[] };

/** A web or mail address, as stated and in the form in which addresses are compared. */
export type LinkFact = Stated & { readonly kind: 'link'; readonly address: string };

/** Something that an answer states and that can be looked up word for word or value for value. */
export type Fact = NumberFact | DateFact | TimeFact | NameFact | QuoteFact | LinkFact;

/**
 * Returns the words of a text for comparison: lower case, separated and surrounded by single spaces, without
 * punctuation and the possessive s. Accents stay.
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
