import type { QuoteFact } from './fact.ts';

/** Quotation marks of the world, opening and closing; only marks that cannot be apostrophes or units. */
const pairs: readonly (readonly [string, string])[] = [
  ['“', '”'],
  ['„', '[“”]'],
  ['«', '»'],
  ['»', '«'],
  ['「', '」'],
  ['『', '』'],
  ['《', '》'],
];
const curly = pairs.map(([open, close]) => String.raw`${open}([^\n]{1,500}?)${close}`);
// A straight mark opens after a space and closes before one: 6" is no quotation.
const straight = String.raw`(?<![^\s([{*_>—–-])"([^"\n]{1,500}?)"(?![\p{L}\p{N}])`;
const quotation = new RegExp([...curly, straight].join('|'), 'gu');
const leftOut = /\[?(?:…|\.{3,}|⋯)\]?/u;

/** The quotations in a text that hold a letter or a digit. */
export function findQuotes(text: string): QuoteFact[] {
  return Array.from(text.matchAll(quotation)).flatMap((match) => {
    const [written, ...groups] = match;
    const quoted = groups.find((group) => group !== undefined) ?? '';
    const parts = quoted.split(leftOut).filter((part) => /[\p{L}\p{N}]/u.test(part));
    return parts.length === 0 ? [] : [{ kind: 'quote' as const, text: written, index: match.index, parts }];
  });
}
