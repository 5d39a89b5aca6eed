import { type DateStyle, findDates } from '../values/find-dates.ts';
import type { Fact, FactKind, QuoteFact } from './fact.ts';
import { findLinks } from './find-links.ts';
import { findNames } from './find-names.ts';
import { findTimes } from './find-times.ts';
import { readNumbers } from './read-numbers.ts';

/**
 * What a text states that can be looked up, left to right. What is part of one fact is not looked at again: a number in a
 * date, a name in a quotation.
 */
export function findFacts(text: string, kinds: readonly FactKind[], dateStyle: DateStyle): Fact[] {
  const facts: Fact[] = [];
  let rest = text;
  const take = (found: readonly Fact[]) => {
    for (const fact of found) if (kinds.includes(fact.kind)) facts.push(fact);
    rest = blankOut(rest, found);
  };
  take(findLinks(rest));
  if (kinds.includes('quote')) take(findQuotes(rest));
  take(findDates(rest, dateStyle).map((date) => ({ kind: 'date', ...date })));
  take(findTimes(rest));
  take(findNames(rest));
  take(readNumbers(withoutIdleNumbers(rest)));
  return facts.sort((a, b) => a.index - b.index);
}

/** The text with spaces in place of the facts, every other character at its place. */
function blankOut(text: string, facts: readonly Fact[]): string {
  const pieces: string[] = [];
  let end = 0;
  for (const fact of facts.toSorted((a, b) => a.index - b.index)) {
    const start = Math.max(end, fact.index);
    const next = Math.max(start, fact.index + fact.text.length);
    pieces.push(text.slice(end, start), ' '.repeat(next - start));
    end = next;
  }
  return pieces.join('') + text.slice(end);
}

/** `1.` and `2)` at the beginning of a line count the items of a list, `24/7` is a manner of speaking. */
function withoutIdleNumbers(text: string): string {
  return text.replace(/^[ \t]*\p{Nd}{1,3}[.)](?=\s)|\b24\/7\b/gmu, (found) => ' '.repeat(found.length));
}

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
