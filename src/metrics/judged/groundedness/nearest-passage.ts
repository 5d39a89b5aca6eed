import { includesText } from '../../../lib/includes-text.ts';
import { lazily } from '../../../lib/lazily.ts';
import type { JudgeMaterial } from '../../../judges/judge.ts';
import { foldText } from '../../../lib/fold-text.ts';
import { segmentWords } from '../../../lib/segment-words.ts';

/** A sentence of a source. */
export interface Passage {
  /** The title of the source. */
  readonly source: string;
  readonly text: string;
}

/** A passage with the share of a claim's words that are in it. */
export interface NearPassage extends Passage {
  readonly overlap: number;
}

const sentences = lazily(() => new Intl.Segmenter('en', { granularity: 'sentence' }));

/** Looks claims and quotations up in sources. */
export interface PassageSearch {
  /** The passage that shares the most words with a claim, the first of several; undefined when none shares any. */
  nearestTo(claim: string): NearPassage | undefined;
  /** Whether a quotation stands in one of the sources, whatever the white space. */
  holds(quotation: string): boolean;
}

/** Makes a search in the sentences of sources; each is read once, however many claims there are. */
export function searchPassages(sources: readonly JudgeMaterial[]): PassageSearch {
  const passages = lazily(() => splitPassages(sources));
  const placesOf = lazily(() => indexWords(passages().map(({ text }) => wordsOf(text))));
  const squashed = lazily(() => sources.map(({ text }) => squash(text)));
  return {
    nearestTo: (claim) => {
      const wanted = wordsOf(claim);
      const shared = new Map<number, number>();
      for (const word of wanted) {
        for (const place of placesOf().get(word) ?? []) shared.set(place, (shared.get(place) ?? 0) + 1);
      }
      let nearest = { place: -1, count: 0 };
      for (const [place, count] of shared) {
        const isNearer = count > nearest.count || (count === nearest.count && place < nearest.place);
        if (isNearer) nearest = { place, count };
      }
      const passage = passages()[nearest.place];
      return passage === undefined ? undefined : { ...passage, overlap: nearest.count / wanted.size };
    },
    holds: (quotation) => {
      const wanted = squash(quotation);
      return wanted !== '' && squashed().some((text) => includesText(text, wanted));
    },
  };
}

function splitPassages(sources: readonly JudgeMaterial[]): Passage[] {
  return sources.flatMap(({ title, text }) =>
    Array.from(sentences().segment(text), ({ segment }) => segment.trim())
      .filter((segment) => segment !== '')
      .map((segment) => ({ source: title, text: segment })),
  );
}

/** The places of the passages that each word is in. */
function indexWords(passages: readonly ReadonlySet<string>[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const [place, words] of passages.entries()) {
    for (const word of words) {
      const known = places.get(word);
      if (known === undefined) places.set(word, [place]);
      else known.push(place);
    }
  }
  return places;
}

function squash(text: string): string {
  return foldText(text).replace(/\s+/g, ' ').trim().toLowerCase();
}

function wordsOf(text: string): Set<string> {
  return new Set(segmentWords(foldText(text).toLowerCase()));
}
