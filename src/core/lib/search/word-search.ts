/** A part of what is searched, such as a heading, and how many times each of its words counts. */
export interface WeightedText {
  readonly text: string;
  readonly weight: number;
}

/** Something that a search found. */
export interface Hit<Item> {
  readonly item: Item;
  /** The BM25 score, above 0. */
  readonly score: number;
}

/** A search by words. */
export interface WordSearch<Item> {
  /** Returns the items that share words with a text, the best first; equal scores in the order of the items. */
  find(text: string): Hit<Item>[];
  /** Every word that an item has. */
  readonly words: ReadonlySet<string>;
}

/** The texts of a search, and the words in which they are compared. */
export interface SearchChoices<Item> {
  /** Returns the words of a text in the form in which they are compared. */
  readonly wordsOf: (text: string) => readonly string[];
  readonly textsOf: (item: Item) => readonly WeightedText[];
  /** The weight of an item's length against it, from 0 to 1: b of BM25, 0.75 by default. */
  readonly lengthWeight?: number;
}

/** The most words of a text that are searched for, the rarest first: all of a question, and of a passage the telling ones. */
const mostWords = 32;

/** The usual k1 of BM25. */
const saturation = 1.2;

/**
 * Creates a search by BM25 (Robertson & Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009), with
 * k1 = 1.2 and idf = ln(1 + (N − n + 0.5) / (n + 0.5)). A word of a part with a weight counts that many times, as in BM25F.
 */
export function createWordSearch<Item>(
  items: readonly Item[],
  { wordsOf, textsOf, lengthWeight = 0.75 }: SearchChoices<Item>,
): WordSearch<Item> {
  const { counts, places } = indexWords(items.map(textsOf), wordsOf);
  const lengths = counts.map((words) => words.values().reduce((sum, count) => sum + count, 0));
  const meanLength = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, items.length);
  return {
    words: new Set(places.keys()),
    find: (text) => {
      const scores = new Map<number, number>();
      const known = [...new Set(wordsOf(text))].flatMap((word) => {
        const found = places.get(word);
        return found === undefined ? [] : [{ word, found }];
      });
      const rarest = known.toSorted((one, other) => one.found.length - other.found.length);
      for (const { word, found } of rarest.slice(0, mostWords)) {
        const rarity = Math.log(1 + (items.length - found.length + 0.5) / (found.length + 0.5));
        for (const index of found) {
          const count = counts[index]?.get(word) ?? 0;
          const norm = 1 - lengthWeight + (lengthWeight * (lengths[index] ?? 0)) / meanLength;
          const score = (rarity * count * (saturation + 1)) / (count + saturation * norm);
          scores.set(index, (scores.get(index) ?? 0) + score);
        }
      }
      return Array.from(scores)
        .toSorted(([one, first], [other, second]) => second - first || one - other)
        .map(([index, score]) => ({ item: items[index] as Item, score }));
    },
  };
}

/** Texts by their words. */
export interface WordIndex {
  /** The weighted number of each word of each text, in the order of the texts. */
  readonly counts: readonly ReadonlyMap<string, number>[];
  /** The numbers of the texts that have a word, in their order. */
  readonly places: ReadonlyMap<string, readonly number[]>;
}

/** Indexes texts by their words, for a search that looks only at texts which share a word with what is searched for. */
export function indexWords(
  texts: readonly (readonly WeightedText[])[],
  wordsOf: (text: string) => readonly string[],
): WordIndex {
  const places = new Map<string, number[]>();
  const counts = texts.map((parts, index) => {
    const own = new Map<string, number>();
    for (const { text, weight } of parts) {
      for (const word of wordsOf(text)) own.set(word, (own.get(word) ?? 0) + weight);
    }
    for (const word of own.keys()) {
      const known = places.get(word);
      if (known === undefined) places.set(word, [index]);
      else known.push(index);
    }
    return own;
  });
  return { counts, places };
}
