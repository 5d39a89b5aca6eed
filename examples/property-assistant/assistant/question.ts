import { findPeriods, type Period } from './find-periods.ts';
import type { Lexicon } from './lexicon.ts';
import { tokenize } from './tokenize.ts';

/** A question as the router and the skills see it. */
export interface Question {
  text: string;
  periods: Period[];
  asOf: string;
  /** Whether the word or the run of words occurs in the question. */
  has(phrase: string): boolean;
  hasAny(phrases: string[]): boolean;
}

/** Reads a question: its words by the lexicon, and its periods as of the date of the books. */
export function readQuestion(text: string, options: { lexicon: Lexicon; asOf: string }): Question {
  const normalized = (words: string) =>
    ` ${tokenize(words)
      .map((word) => options.lexicon.normalize(word))
      .join(' ')} `;
  const line = normalized(text);
  const has = (phrase: string) => line.includes(normalized(phrase));
  return {
    text,
    periods: findPeriods(text, options.asOf),
    asOf: options.asOf,
    has,
    hasAny: (phrases) => phrases.some(has),
  };
}
