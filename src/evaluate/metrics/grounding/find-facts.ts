import { z } from 'zod';
import { foldDigits, foldWidth } from '../../../core/lib/text/words.ts';
import { type DateStyle, findDates, usualLocales } from '../../../core/lib/numbers/find-dates.ts';
import { findNumbers, type FoundNumber } from '../../../core/lib/numbers/find-numbers.ts';
import type { Fact, FactKind, LinkFact, NumberFact, QuoteFact, TimeFact } from './fact.ts';
import { findNames } from './find-names.ts';

/** Returns the options of a metric that say how dates are read. */
export const dateOptions = () => ({
  order: z
    .enum(['day-first', 'month-first'])
    .optional()
    .describe('How to read 03/04/2024; both ways when absent.'),
  locales: z
    .array(z.string().min(2))
    .min(1)
    .default(usualLocales)
    .describe('Languages whose names of months are known.'),
});

/**
 * Finds all facts of the given kinds in a text, from left to right. Text that belongs to one fact is not searched
 * again, such as a number in a date or a name in a quotation.
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

/** Returns the text with spaces in place of the facts; every other character keeps its position. */
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

/**
 * Blanks out numbers that state nothing: `1.` and `2)` at the beginning of a line number the items of a list, and
 * `24/7` is an idiom.
 */
function withoutIdleNumbers(text: string): string {
  return text.replace(/^[ \t]*\p{Nd}{1,3}[.)](?=\s)|\b24\/7\b/gmu, (found) => ' '.repeat(found.length));
}

const link =
  /(?:https?:\/\/|www\.)[^\s<>"'“”«»`|]+|(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/giu;

/** Finds every web and mail address in a text, without the punctuation after it. */
export function findLinks(text: string): LinkFact[] {
  return Array.from(text.matchAll(link), ({ 0: written, index }) => {
    const address = written.replace(/[.,;:!?)\]}*_]+$/u, '');
    return { kind: 'link', text: address, index, address: foldLink(address) };
  });
}

/** Returns an address without what its spellings may differ in: `https://`, `www.`, capitals, the last slash. */
export function foldLink(text: string): string {
  return text
    .toLowerCase()
    .replace(/^(?:https?:\/\/)?(?:www\.)?/u, '')
    .replace(/\/$/u, '');
}

const half = String.raw`(?:\s?(?<half>[ap])\.?\s?m(?![\p{L}\p{N}])\.?)`;
const forms = [
  String.raw`(?<![\d:.,])(?<hour>\d{1,2})[:h](?<minute>\d{2})(?::\d{2})?(?![\d:])${half}?`,
  String.raw`(?<![\d:.,])(?<hour>\d{1,2})${half}`,
  String.raw`(?<![\d:.,])(?<hour>\d{1,2})\s?(?:uhr|o['’]clock)(?![\p{L}\p{N}])`,
].map((form) => new RegExp(form, 'giu'));

/**
 * Finds every time of day in a text: `17:30`, `5:30 pm`, `9 a.m.`, `14h30`, `9 Uhr`. Without am or pm, `5:30` may be
 * either.
 */
export function findTimes(text: string): TimeFact[] {
  const plain = foldDigits(foldWidth(text));
  const found = new Map<number, TimeFact>();
  for (const form of forms) {
    for (const match of plain.matchAll(form)) {
      const readings = readMinutes(match.groups ?? {});
      if (readings.length === 0 || found.has(match.index)) continue;
      found.set(match.index, { kind: 'time', text: match[0].trim(), index: match.index, readings });
    }
  }
  return [...found.values()];
}

/** Returns the possible minutes since midnight; an empty list when there is no such time. */
function readMinutes({ hour = '', minute = '0', half }: Record<string, string | undefined>): number[] {
  const [hours, minutes] = [Number(hour), Number(minute)];
  if (hours > 24 || minutes > 59) return [];
  const asWritten = hours * 60 + minutes;
  if (half === undefined)
    return hours >= 1 && hours <= 12 ? [asWritten, (asWritten + 720) % 1440] : [asWritten];
  if (hours < 1 || hours > 12) return [];
  return [(hours % 12) * 60 + minutes + (half.toLowerCase() === 'p' ? 720 : 0)];
}

/** Pairs of quotation marks of many languages; only marks that cannot be apostrophes or units. */
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
// A straight mark opens after a space and closes before one: 6" is not a quotation.
const straight = String.raw`(?<![^\s([{*_>—–-])"([^"\n]{1,500}?)"(?![\p{L}\p{N}])`;
const quotation = new RegExp([...curly, straight].join('|'), 'gu');
const leftOut = /\[?(?:…|\.{3,}|⋯)\]?/u;

/** Finds the quotations in a text that contain a letter or a digit. */
export function findQuotes(text: string): QuoteFact[] {
  return Array.from(text.matchAll(quotation)).flatMap((match) => {
    const [written, ...groups] = match;
    const quoted = groups.find((group) => group !== undefined) ?? '';
    const parts = quoted.split(leftOut).filter((part) => /[\p{L}\p{N}]/u.test(part));
    return parts.length === 0 ? [] : [{ kind: 'quote' as const, text: written, index: match.index, parts }];
  });
}

/**
 * Finds every number of a text, read with both decimal marks: `1,204` is 1204 or 1.204, `1204,50` is 1204.5 or two
 * numbers. A number that falls apart only with `,` as the decimal mark is read as one: lists of numbers are not written
 * with full stops between them.
 */
export function readNumbers(text: string): NumberFact[] {
  const points = new Set(findNumbers(text, '.'));
  const commas = new Set(findNumbers(text, ','));
  return clusterNumbers([...points, ...commas]).map((cluster) => {
    const byPoint = cluster.filter((number) => points.has(number));
    const byComma = cluster.filter((number) => commas.has(number));
    const readings = byPoint.length === 1 && byComma.length > 1 ? [byPoint] : [byPoint, byComma];
    const longest = cluster.reduce((best, next) => (next.text.length > best.text.length ? next : best));
    const { text: written, index } = longest;
    return { kind: 'number', text: written, index, readings: readings.filter(({ length }) => length > 0) };
  });
}

/** Groups readings that share a digit: they belong to one number. */
function clusterNumbers(numbers: readonly FoundNumber[]): FoundNumber[][] {
  const clusters: FoundNumber[][] = [];
  let end = -1;
  for (const number of numbers.toSorted((a, b) => a.index - b.index)) {
    if (number.index < end) clusters.at(-1)?.push(number);
    else clusters.push([number]);
    end = Math.max(end, endOf(number));
  }
  return clusters;
}

/**
 * Returns the position after the digits of a number. Its text may begin before its index, with a sign or a currency.
 */
function endOf({ text, index }: FoundNumber): number {
  const [digits = ''] = /\d[\d.,'’_\u00a0\u202f\u2009 ]*\d|\d|\.\d+/u.exec(text) ?? [];
  return index + digits.length;
}
