import { defuse } from './delimit-material.ts';
import { foldText } from './words.ts';

/**
 * Splits a quote into the pieces that must occur in the quoted text, in their order: `…` and `...` stand for words that
 * were skipped. Returns an empty list for a quote without a letter or a digit.
 */
export function quotePieces(quote: string): string[] {
  return quote
    .split(/\[?(?:…|\.{3,})\]?/)
    .map(fold)
    .filter((piece) => /[\p{L}\p{N}]/u.test(piece));
}

/**
 * Returns whether a text contains the pieces of a quote, one after the other. Letter case, white space, quotation marks and
 * marks of emphasis do not count.
 */
export function containsPieces(text: string, pieces: readonly string[]): boolean {
  const folded = fold(text);
  let from = 0;
  for (const piece of pieces) {
    const place = folded.indexOf(piece, from);
    if (place === -1) return false;
    from = place + piece.length;
  }
  return true;
}

/** Matches quotation marks of all languages, marks of emphasis, and the backslashes that JSON puts before marks. */
const marks = /[\p{Pi}\p{Pf}"'`´‚„「」『』*_\\]/gu;

function fold(text: string): string {
  return foldText(defuse(text))
    .toLowerCase()
    .replace(/\\[nrt]/g, ' ')
    .replace(marks, '')
    .replace(/\p{Pd}/gu, '-')
    .replace(/\s+/gu, '');
}
