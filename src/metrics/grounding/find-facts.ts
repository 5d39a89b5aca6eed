import { findDates, type DateStyle } from '../values/find-dates.ts';
import type { Fact, FactKind } from './fact.ts';
import { findLinks } from './find-links.ts';
import { findNames } from './find-names.ts';
import { findQuotes } from './find-quotes.ts';
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
