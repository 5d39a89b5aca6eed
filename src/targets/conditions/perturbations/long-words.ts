const alphabets = ['Latin', 'Greek', 'Cyrillic', 'Armenian', 'Georgian', 'Hebrew', 'Arabic'];
const letter = String.raw`[${alphabets.map((script) => String.raw`\p{Script=${script}}`).join('')}]\p{M}*`;

/** Words of four letters and more in scripts whose words are spelt letter by letter. */
export const longWords = new RegExp(String.raw`(?<![\p{L}\p{M}])(?:${letter}){4,}(?![\p{L}\p{M}])`, 'gu');

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** A text in the characters that a reader sees: a letter with its accents is one. */
export function toCharacters(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}
