import { indexWords, wordsOf } from '../../lint/question-words.ts';
import type { Passage } from './document.ts';

/** A passage that a search found. */
export interface PassageHit {
  readonly passage: Passage;
  /** The BM25 score, above 0. */
  readonly score: number;
}

/** A search for passages by words. */
export interface PassageSearch {
  /** Returns the passages that share words with a text, the best first; equal scores in the order of the documents. */
  find(text: string): PassageHit[];
}

/** The most words of a text that are searched for, the rarest first: all of a question, and of a passage the telling ones. */
const mostWords = 32;

/** The usual constants of BM25. */
const saturation = 1.2;
const lengthWeight = 0.75;

/**
 * Creates a search for passages by BM25 (Robertson & Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond",
 * 2009), with k1 = 1.2, b = 0.75 and idf = ln(1 + (N − n + 0.5) / (n + 0.5)), over the words of headings and texts. Words are
 * compared as by the duplicate check: lower case, without plural endings and empty words.
 */
export function createPassageSearch(passages: readonly Passage[]): PassageSearch {
  const { counts, places: placesOf } = indexWords(
    passages.map(({ headings, text }) => [...headings, text].join('\n')),
  );
  const lengths = counts.map((words) => words.values().reduce((sum, count) => sum + count, 0));
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, passages.length);
  return {
    find: (text) => {
      const scores = new Map<number, number>();
      const known = [...new Set(wordsOf(text))].flatMap((word) => {
        const places = placesOf.get(word);
        return places === undefined ? [] : [{ word, places }];
      });
      const rarest = known.toSorted((one, other) => one.places.length - other.places.length);
      for (const { word, places } of rarest.slice(0, mostWords)) {
        const rarity = Math.log(1 + (passages.length - places.length + 0.5) / (places.length + 0.5));
        for (const index of places) {
          const count = counts[index]?.get(word) ?? 0;
          const norm = 1 - lengthWeight + (lengthWeight * (lengths[index] ?? 0)) / meanLength;
          const score = (rarity * count * (saturation + 1)) / (count + saturation * norm);
          scores.set(index, (scores.get(index) ?? 0) + score);
        }
      }
      return Array.from(scores)
        .toSorted(([one, first], [other, second]) => second - first || one - other)
        .map(([index, score]) => ({ passage: passages[index] as Passage, score }));
    },
  };
}
