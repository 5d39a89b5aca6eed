import { lazily } from '../lazily.ts';
import type { DecimalMark } from '../numbers/find-numbers.ts';
import { isAscii } from '../text/words.ts';
import { prepareText } from './prepare-text.ts';
import { readTerms } from './read-terms.ts';
import { formsOf, type Term } from './term.ts';

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
  readonly explanation?: string;
}

/** A decision on the terms of an answer. */
export type TermMatch = Pick<TextComparison, 'outcome' | 'by' | 'explanation'>;

/** The texts around the terms of an answer. */
export interface Surroundings {
  /** Returns whether the question has terms of all these keys, in the singular or the plural: an answer may repeat them. */
  readonly areAsked: (keys: readonly string[]) => boolean;
  /** Returns the terms of the question. */
  readonly question: () => readonly Term[];
  /** The prepared texts. */
  readonly given: string;
  readonly wanted: string;
}

/** Keys of words whose letters need not be in the text: of `won't`, `shan't` and `&`, and of a denial. */
const spelledOtherwise = new Set(['will', 'shall', 'and', 'not']);

/**
 * Returns what a question asks. Most words are not in the question at all, and their letters show it: the question is read
 * only where the letters of each are there.
 */
export function readAsked(question: string, mark: DecimalMark): Pick<Surroundings, 'areAsked' | 'question'> {
  const letters = lazily(() =>
    isAscii(question) && !question.includes('&') ? question.toLowerCase().replace(/[^a-z]+/g, '') : undefined,
  );
  const terms = lazily(() => readTerms(prepareText(question), mark));
  const known = lazily(() => new Set(terms().map(({ key }) => key)));
  const mayBeThere = (key: string) =>
    spelledOtherwise.has(key) ||
    !/^[a-z]+$/.test(key) ||
    letters()?.includes(key.replace(/s$/, '')) !== false;
  const isThere = (key: string) => formsOf(key).some((form) => known().has(form));
  return { areAsked: (keys) => keys.every(mayBeThere) && keys.every(isThere), question: terms };
}
