import type { Lexicon } from './lexicon.ts';
import type { Passage } from './passages.ts';
import { contentWords } from './tokenize.ts';

/** A passage found, with its BM25 score; higher is nearer. */
export interface Hit {
  passage: Passage;
  score: number;
}

/** A searchable collection of passages. */
export interface SearchIndex {
  documents: Set<string>;
  /** The share of a question's words that occur in any passage, from 0 to 1; 0 for no words. */
  shareOfKnownWords(text: string): number;
  search(query: string, options: { document?: string; limit: number }): Hit[];
}

interface Entry {
  passage: Passage;
  counts: Map<string, number>;
  length: number;
}

const saturation = 1.2;
const lengthWeight = 0.75;

/** Builds an Okapi BM25 index (k1 = 1.2, b = 0.75) over title, heading and text of each passage. */
export function createSearchIndex(passages: Passage[], lexicon: Lexicon): SearchIndex {
  const entries = passages.map((passage) => createEntry(passage, lexicon));
  const averageLength = entries.reduce((sum, entry) => sum + entry.length, 0) / entries.length;

  function rarity(term: string): number {
    const holders = entries.filter((entry) => entry.counts.has(term)).length;
    return Math.log(1 + (entries.length - holders + 0.5) / (holders + 0.5));
  }

  function readTerms(text: string): string[] {
    return [...new Set(contentWords(text).map((word) => lexicon.normalize(word)))];
  }

  function score(entry: Entry, term: string): number {
    const count = entry.counts.get(term) ?? 0;
    const norm = saturation * (1 - lengthWeight + (lengthWeight * entry.length) / averageLength);
    return (rarity(term) * count * (saturation + 1)) / (count + norm);
  }

  return {
    documents: new Set(passages.map((passage) => passage.document)),
    shareOfKnownWords(text) {
      const terms = readTerms(text);
      const known = terms.filter((term) => entries.some((entry) => entry.counts.has(term)));
      return terms.length === 0 ? 0 : known.length / terms.length;
    },
    search(query, { document, limit }) {
      const terms = readTerms(query);
      const candidates = entries.filter(
        ({ passage }) => document === undefined || passage.document === document,
      );
      const hits = candidates.map((entry) => ({
        passage: entry.passage,
        score: terms.reduce((sum, term) => sum + score(entry, term), 0),
      }));
      return hits
        .filter((hit) => hit.score > 0)
        .sort(byScore)
        .slice(0, limit);
    },
  };
}

function createEntry(passage: Passage, lexicon: Lexicon): Entry {
  const words = contentWords(`${passage.title} ${passage.heading} ${passage.text}`);
  const counts = new Map<string, number>();
  for (const word of words.map((word) => lexicon.normalize(word)))
    counts.set(word, (counts.get(word) ?? 0) + 1);
  return { passage, counts, length: words.length };
}

function byScore(a: Hit, b: Hit): number {
  return b.score - a.score || (a.passage.id < b.passage.id ? -1 : 1);
}
