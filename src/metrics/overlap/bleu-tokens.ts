import { splitWords, stripSpace } from '../../lib/python-text.ts';

/** The tokenizers of sacreBLEU that need no model or dictionary. */
export const bleuTokenizers = ['13a', 'intl', 'zh', 'char', 'none'] as const;
export type BleuTokenizer = (typeof bleuTokenizers)[number];

const prepare: Readonly<Record<BleuTokenizer, (text: string) => string>> = {
  '13a': (text) => splitWestern(` ${unescapeMarkup(text)} `),
  intl: (text) =>
    text
      .replace(/(\P{N})(\p{P})/gu, '$1 $2 ')
      .replace(/(\p{P})(\P{N})/gu, ' $1 $2')
      .replace(/\p{S}/gu, ' $& '),
  zh: (text) => splitWestern(stripSpace(text).replace(chineseCharacter, ' $& ')),
  char: (text) => Array.from(text).join(' '),
  none: (text) => text,
};

/** Tokens of a text as sacreBLEU's tokenizer of that name makes them. */
export function bleuTokens(text: string, tokenizer: BleuTokenizer): string[] {
  return splitWords(prepare[tokenizer](text));
}

function unescapeMarkup(text: string): string {
  return text
    .replaceAll('<skipped>', '')
    .replaceAll('-\n', '')
    .replaceAll('\n', ' ')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>');
}

/** The language-dependent part of mteval-v13a for Western languages. */
function splitWestern(text: string): string {
  return text
    .replace(/[{-~[-` -&(-+:-@/]/g, ' $& ')
    .replace(/([^0-9])([.,])/gu, '$1 $2 ')
    .replace(/([.,])([^0-9])/gu, ' $1 $2')
    .replace(/([0-9])-/g, '$1 - ');
}

// The ranges of sacreBLEU as they take effect: two of them are written with five hexadecimal digits in a four-digit
// escape, which makes them U+2001 to U+2A6D and U+2F81 to U+2FA1.
const chineseCharacter =
  /[\u3400-\u4db5\u4e00-\u9fbb\uf900-\ufa2d\ufa30-\ufa6a\ufa70-\ufad9\u2001-\u2a6d\u2f81-\u2fa1\uff00-\uffef\u2e80-\u2eff\u3000-\u303f\u31c0-\u31ef\u2f00-\u2fdf\u2ff0-\u2fff\u3100-\u312f\u31a0-\u31bf\ufe10-\ufe1f\ufe30-\ufe4f\u3200-\u33ff]/g;
