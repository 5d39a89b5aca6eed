import type { Lexicon } from './lexicon.ts';
import type { Passage } from './passages.ts';
import { contentWords } from './tokenize.ts';

/** The sentences of a passage that share most words with the query, at most `count`, in their own order. */
export function quotePassage(
  passage: Passage,
  query: string,
  options: { count: number; lexicon: Lexicon },
): string {
  const { count, lexicon } = options;
  const asked = new Set(contentWords(query).map((word) => lexicon.normalize(word)));
  const sentences = passage.text.split(/(?<=[.:]) (?=[A-Z])/);
  const overlaps = sentences.map((sentence) => {
    const words = new Set(contentWords(sentence).map((word) => lexicon.normalize(word)));
    return [...words].filter((word) => asked.has(word)).length;
  });
  const best = sentences.map((_, at) => at).sort((a, b) => (overlaps[b] ?? 0) - (overlaps[a] ?? 0) || a - b);
  return best
    .slice(0, count)
    .sort((a, b) => a - b)
    .map((at) => sentences[at])
    .join(' ');
}
