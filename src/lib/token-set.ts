import { splitWords } from './python-text.ts';

const punctuation = new Set('.,!?;:()[]{}"\'');

/**
 * The set of tokens of a text, as the FAQ-bot framework defines them: split at white space, `. , ! ? ; : ( ) [ ] { } " '`
 * taken off both ends of each piece, lower case. A piece of punctuation alone is the empty token and stays in the set.
 */
export function tokenSet(text: string): Set<string> {
  return new Set(splitWords(text).map((piece) => stripPunctuation(piece).toLowerCase()));
}

function stripPunctuation(piece: string): string {
  let start = 0;
  let end = piece.length;
  while (start < end && punctuation.has(piece.charAt(start))) start++;
  while (end > start && punctuation.has(piece.charAt(end - 1))) end--;
  return piece.slice(start, end);
}
