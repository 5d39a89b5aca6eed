import { z } from 'zod';
import { lazily } from '../../../core/lib/lazily.ts';
import { splitWords, stripSpace } from '../../../core/lib/text/python-text.ts';

/** The tokenizers of sacreBLEU that need no model or dictionary. */
export const bleuTokenizers = ['13a', 'intl', 'zh', 'char', 'none'] as const;

type BleuTokenizer = (typeof bleuTokenizers)[number];

const prepare: Readonly<Record<BleuTokenizer, (text: string) => string>> = {
  '13a': (text) =>
    splitWestern(` ${unescapeMarkup(text.replaceAll('<skipped>', '').replaceAll('-\n', ''))} `),
  intl: (text) =>
    text
      .replace(/(\P{N})(\p{P})/gu, '$1 $2 ')
      .replace(/(\p{P})(\P{N})/gu, ' $1 $2')
      .replace(/\p{S}/gu, ' $& '),
  zh: (text) => splitWestern(stripSpace(text).replace(chineseCharacter, ' $& ')),
  char: (text) => Array.from(text).join(' '),
  none: (text) => text,
};

/** Splits a text into tokens as sacreBLEU's tokenizer of that name does. */
export function bleuTokens(text: string, tokenizer: BleuTokenizer): string[] {
  return splitWords(prepare[tokenizer](text));
}

/** Separates punctuation from words as `normalized` of sacreBLEU's translation edit rate does. */
export function normalizeWestern(text: string): string {
  const plain = unescapeMarkup(text.replaceAll('\n-', ''));
  return separatePoints(separateMarks(` ${plain} `).replaceAll("'s ", " 's "));
}

function unescapeMarkup(text: string): string {
  return text
    .replaceAll('\n', ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');
}

/** Splits by the language-dependent rules of mteval-v13a for Western languages. */
function splitWestern(text: string): string {
  return separatePoints(separateMarks(text));
}

function separateMarks(text: string): string {
  return text.replace(/[{-~[-` -&(-+:-@/]/g, ' $& ');
}

/** Separates points and commas, except between digits, and dashes after digits. */
function separatePoints(text: string): string {
  return text
    .replace(/([^0-9])([.,])/gu, '$1 $2 ')
    .replace(/([.,])([^0-9])/gu, ' $1 $2')
    .replace(/([0-9])-/g, '$1 - ');
}

// The ranges of sacreBLEU as they take effect: two of them are written with five hexadecimal digits in a four-digit
// escape, which makes them U+2001 to U+2A6D and U+2F81 to U+2FA1.
const chineseCharacter =
  /[\u3400-\u4db5\u4e00-\u9fbb\uf900-\ufa2d\ufa30-\ufa6a\ufa70-\ufad9\u2001-\u2a6d\u2f81-\u2fa1\uff00-\uffef\u2e80-\u2eff\u3000-\u303f\u31c0-\u31ef\u2f00-\u2fdf\u2ff0-\u2fff\u3100-\u312f\u31a0-\u31bf\ufe10-\ufe1f\ufe30-\ufe4f\u3200-\u33ff]/g;

/** The options of metrics that compare words and leave it open what a word is. */
export const wordOptions = lazily(() =>
  z.object({
    tokenizer: z
      .enum(['plain', 'spaces', ...bleuTokenizers])
      .exclude(['none'])
      .default('plain')
      .describe(
        '`plain`: the pieces between white space without periods at their end, as in promptfoo. `spaces`: just the pieces between white space. The others are the same as for `bleu`.',
      ),
    ignoreCase: z.boolean().default(true).describe('True to ignore letter case.'),
  }),
);

/**
 * Splits a text into words. A piece of periods alone becomes an empty word of `plain`, as it does in promptfoo; a text
 * of such pieces alone has no words.
 */
export function wordTokens(
  text: string,
  { tokenizer, ignoreCase }: z.output<ReturnType<typeof wordOptions>>,
): string[] {
  const cased = ignoreCase ? text.toLowerCase() : text;
  if (tokenizer === 'plain') {
    const words = splitWords(cased).map((piece) => piece.replace(/(?<!\.)\.+$/, ''));
    return words.every((word) => word === '') ? [] : words;
  }
  return bleuTokens(cased, tokenizer === 'spaces' ? 'none' : tokenizer);
}
