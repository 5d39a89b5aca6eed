import { splitWords } from '../../lib/python-text.ts';

const punctuation = /[!-/:-@[-`{-~]/g;
// Python's \b knows the letters and digits of all scripts, JavaScript's those of ASCII alone.
const articles = /(?<![\p{L}\p{N}_])(?:a|an|the)(?![\p{L}\p{N}_])/gu;

/**
 * The tokens of a text as the official SQuAD evaluation script makes them: lower case, ASCII punctuation deleted, the
 * articles a, an and the taken out, split at white space.
 */
export function squadTokens(text: string): string[] {
  return splitWords(text.toLowerCase().replace(punctuation, '').replace(articles, ' '));
}
