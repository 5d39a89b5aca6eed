import { lazily } from '../../lib/lazily.ts';

const alphabets = ['Latin', 'Greek', 'Cyrillic', 'Armenian', 'Georgian', 'Hebrew', 'Arabic'];

/** Words of four letters and more in scripts whose words are spelt letter by letter. */
export const longWords = lazily(() => {
  const letter = `[${alphabets.map((script) => String.raw`\p{Script=${script}}`).join('')}]`;
  return new RegExp(String.raw`(?<![\p{L}\p{M}])(?:${letter}\p{M}*){4,}(?![\p{L}\p{M}])`, 'gu');
});

const segmenter = lazily(() => new Intl.Segmenter('en', { granularity: 'grapheme' }));

/** A text in the characters that a reader sees: a letter with its accents is one. */
export function toCharacters(text: string): string[] {
  return Array.from(segmenter().segment(text), ({ segment }) => segment);
}
