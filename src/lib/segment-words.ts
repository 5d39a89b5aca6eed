import { lazily } from './lazily.ts';

// The locale is fixed, so that a text has the same words on every machine. Chinese, Japanese and Thai are split by their
// dictionaries whatever the locale.
const segmenter = lazily(() => new Intl.Segmenter('en', { granularity: 'word' }));

/** The words of a text in any script, by the Unicode rules and the dictionaries of the JavaScript engine. */
export function segmentWords(text: string): string[] {
  const words: string[] = [];
  for (const { segment, isWordLike } of segmenter().segment(text)) if (isWordLike) words.push(segment);
  return words;
}

/** The places, in UTF-16 code units, at which a word or any other segment of a text begins or ends. */
export function wordBoundaries(text: string): Set<number> {
  const places = new Set([text.length]);
  for (const { index } of segmenter().segment(text)) places.add(index);
  return places;
}
