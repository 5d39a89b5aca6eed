import { foldText } from '../../lib/fold-text.ts';

/**
 * The words of a text with one space between them and around them, in the form in which they are looked up: without case,
 * accents kept, punctuation and the possessive s left out.
 */
export function foldWords(text: string): string {
  const folded = foldText(text)
    .toLowerCase()
    .replace(/['’]s(?![\p{L}\p{N}])/gu, '');
  return ` ${folded
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '')
    .join(' ')} `;
}
