import type { Term } from './term.ts';

/** A result of comparing an answer with the expected one. */
export interface TextComparison {
  /**
   * `same`: the answer says what is expected. `different`: it says something else, such as another number. `unclear`:
   * a part is missing or in doubt, such as a unit. `words`: nothing but words differ, and `value` says how many.
   */
  readonly outcome: 'same' | 'different' | 'unclear' | 'words';
  /** The likeness from 0 to 1: the F1 of the terms, or less where the outcome is not `words`. */
  readonly value: number;
  /** The kind of thing that decided. */
  readonly by: 'equality' | 'number' | 'json' | 'choice' | 'restatement' | 'yes or no' | 'terms' | 'words';
  /** A sentence on what was found where, or what differs. */
  readonly explanation?: string | undefined;
}

/** A decision on the terms of an answer. */
export type TermMatch = Pick<TextComparison, 'outcome' | 'by' | 'explanation'>;

/** The texts around the terms of an answer. */
export interface Surroundings {
  /** The terms of the question: an answer may repeat them. */
  readonly question: () => readonly Term[];
  /** The prepared texts. */
  readonly given: string;
  readonly wanted: string;
}
