import { createWordSearch, type WordSearch } from '../../../core/lib/search/word-search.ts';
import { wordsOf } from '../../lint/question-words.ts';
import type { Passage } from './document.ts';

/** A search for passages by words. */
export type PassageSearch = WordSearch<Passage>;

/**
 * Creates a search for passages by BM25 with b = 0.75, over the words of headings and texts. Words are compared as by the
 * duplicate check: lower case, without plural endings and empty words.
 */
export function createPassageSearch(passages: readonly Passage[]): PassageSearch {
  return createWordSearch(passages, {
    wordsOf,
    textsOf: ({ headings, text }) => [{ text: [...headings, text].join('\n'), weight: 1 }],
  });
}
