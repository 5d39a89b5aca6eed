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

/** The sentences of all sources, each with its words. */
export function splitPassages(
  sources: readonly JudgeMaterial[],
): (Passage & { readonly words: Set<string> })[] {
  return sources.flatMap(({ title, text }) =>
    Array.from(sentences().segment(text), ({ segment }) => segment.trim())
      .filter((segment) => segment !== '')
      .map((segment) => ({ source: title, text: segment, words: wordsOf(segment) })),
  );
}

/** The passage that shares the most words with a claim, the first of several; undefined when none shares any. */
export function nearestPassage(
  claim: string,
  passages: readonly (Passage & { readonly words: ReadonlySet<string> })[],
): NearPassage | undefined {
  const wanted = wordsOf(claim);
  let nearest: NearPassage | undefined;
  for (const { source, text, words } of passages) {
    const shared = [...wanted].filter((word) => words.has(word)).length;
    const overlap = shared / Math.max(1, wanted.size);
    if (overlap > (nearest?.overlap ?? 0)) nearest = { source, text, overlap };
  }
  return nearest;
}

/** Whether a quotation stands in one of the sources, whatever the white space. */
export function isQuoted(quotation: string, sources: readonly JudgeMaterial[]): boolean {
  const wanted = squash(quotation);
  return wanted !== '' && sources.some(({ text }) => squash(text).includes(wanted));
}

function squash(text: string): string {
  return foldText(text).replace(/\s+/g, ' ').trim().toLowerCase();
}

function wordsOf(text: string): Set<string> {
  return new Set(segmentWords(foldText(text).toLowerCase()));
}
