import { wordsOf } from '../lint/question-words.ts';
import { indexWords } from '../../core/lib/search/word-search.ts';
import { type Case, questionOf } from '../../core/schema/case.ts';

/** A case of the golden set with its similarity to a question. */
export interface NearCase {
  readonly case: Case;
  /** The number of words that both questions have, divided by the number of words of either (Jaccard), from 0 to 1. */
  readonly similarity: number;
}

/** Finds the cases of a set whose questions share the most words with a question. */
export type FindNearest = (question: string, count: number) => NearCase[];

/** Creates a search for the nearest cases of a set. Only cases that share a word are compared. */
export function createNearestSearch(cases: readonly Case[]): FindNearest {
  const { counts, places } = indexWords(
    cases.map((each) => [{ text: questionOf(each), weight: 1 }]),
    wordsOf,
  );
  return (question, count) => {
    const words = new Set(wordsOf(question));
    const shared = new Map<number, number>();
    for (const word of words)
      for (const index of places.get(word) ?? []) shared.set(index, (shared.get(index) ?? 0) + 1);
    return Array.from(shared, ([index, common]) => {
      const all = words.size + (counts[index]?.size ?? 0) - common;
      return { case: cases[index] as Case, similarity: all === 0 ? 0 : common / all, index };
    })
      .sort((one, other) => other.similarity - one.similarity || one.index - other.index)
      .slice(0, count)
      .map(({ case: each, similarity }) => ({ case: each, similarity }));
  };
}

/** The nearest cases that decide on a category, and the least similarity that they need. */
const neighbours = 5;
const leastSimilarity = 0.15;

/** A category that the nearest cases suggest. */
export interface SuggestedCategory {
  readonly category: string;
  /** The cases that suggest it, as a phrase. */
  readonly reason: string;
}

/**
 * Suggests the category of a question: of the five nearest cases, each with its similarity as its weight, the category with the
 * largest sum. Undefined where no case is near.
 */
export function suggestCategory(find: FindNearest, question: string): SuggestedCategory | undefined {
  const near = find(question, neighbours).filter(
    ({ case: each, similarity }) => similarity >= leastSimilarity && each.category !== undefined,
  );
  const sums = new Map<string, number>();
  for (const { case: each, similarity } of near)
    sums.set(each.category ?? '', (sums.get(each.category ?? '') ?? 0) + similarity);
  const [best] = [...sums].sort((one, other) => other[1] - one[1]);
  if (best === undefined) return undefined;
  const own = near.filter(({ case: each }) => each.category === best[0]);
  const named = own.map(({ case: each, similarity }) => `${each.id} (${Math.round(similarity * 100)} %)`);
  return { category: best[0], reason: `nearest by words: ${named.slice(0, 3).join(', ')}` };
}
