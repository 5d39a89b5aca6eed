import { asciiCase, type FoldRule, foldRulesFor } from './fold-rules.ts';

/**
 * Returns a text in the form in which texts of people are compared: equal forms mean that a reader sees the same text.
 *
 * - Case is folded as in Unicode: `Straße` and `STRASSE`, the final sigma, the Turkish `İ` and `ı`.
 * - Typographic quotes, hyphens, dashes, minus signs, spaces and ellipses become plain ones; runs of white space become
 *   one space, and none is left at the ends.
 * - Invisible characters (soft hyphens, zero width, marks of direction) are dropped.
 * - Ligatures, full width, other compatibility forms, decomposed letters and the digits of any script become plain ones.
 *   Letters keep their marks: `Müller` is not `Muller`.
 * - Raised and lowered digits and fractions keep their meaning: `10²` becomes `10^2`, `½` becomes `1/2`, `H₂O` `h2o`.
 * - Marks of Markdown that make a word stand out are dropped, but never the signs of `a*b`, `2**3` or `snake_case`.
 *
 * The time that it takes is proportional to the length of the text.
 */
export function foldForComparison(text: string): string {
  return fold(text, false);
}

/** Returns a text folded like `foldForComparison`, but with its capitals: `5 MB` is not `5 mb`. */
export function foldExceptCase(text: string): string {
  return fold(text, true);
}

function fold(text: string, keepsCase: boolean): string {
  if (!mayChange.test(text)) {
    const bare = text.slice(text.startsWith(' ') ? 1 : 0, text.endsWith(' ') ? -1 : undefined);
    return keepsCase ? bare : bare.toLowerCase();
  }
  const { parts } = withoutEmphasis(text);
  return foldRulesFor(text, keepsCase).reduce((folded, rule) => {
    if (rule === asciiCase) return folded.toLowerCase();
    const { pattern, needs, replace } = rule;
    if (needs !== undefined && !folded.includes(needs)) return folded;
    const change = (found: string, ...rest: unknown[]) => replace(found, rest.at(-2) as number, folded);
    return folded.replace(pattern, change);
  }, parts.join(''));
}

/** The signs of a text in which more changes than its case and the space at its ends: most have none of it. */
const mayChange = /[\t-\r\u001c-\u001f*\\_`\u0080-\uffff]| {2}/;

/** A folded text that knows where in the original each of its characters stood. Places are UTF-16 code units. */
export interface FoldedText {
  /** The text as `foldForComparison` returns it. */
  readonly text: string;
  /** Returns the place in the original of a part of the folded text: its start and its end. */
  originalRange(start: number, end: number): readonly [start: number, end: number];
  /** Returns the original of a part of the folded text. */
  originalOf(start: number, end: number): string;
}

/** Folds a text like `foldForComparison` and keeps the places, so that a report can quote the original. */
export function foldWithPlaces(text: string): FoldedText {
  const placed = foldRulesFor(text, false).reduce(applyRule, placeParts(text));
  const originalRange = (start: number, end: number): readonly [number, number] => {
    const from = placed.starts[start] ?? text.length;
    return [from, start >= end ? from : (placed.ends[end - 1] ?? text.length)];
  };
  return {
    text: placed.text,
    originalRange,
    originalOf: (start, end) => text.slice(...originalRange(start, end)),
  };
}

/** The parts of a text between its marks of emphasis, and where each begins. */
function withoutEmphasis(text: string): { readonly parts: string[]; readonly starts: number[] } {
  const parts: string[] = [];
  const starts: number[] = [];
  let from = 0;
  for (const { start, end } of [...findEmphasis(text), { start: text.length, end: text.length }]) {
    parts.push(text.slice(from, start));
    starts.push(from);
    from = end;
  }
  return { parts, starts };
}

/** A text with the start and the end, in the original, of what each of its code units was made of. */
interface PlacedText {
  readonly text: string;
  readonly starts: Int32Array;
  readonly ends: Int32Array;
}

function placeParts(original: string): PlacedText {
  const { parts, starts: partStarts } = withoutEmphasis(original);
  const text = parts.join('');
  const starts = new Int32Array(text.length);
  let at = 0;
  for (const [index, part] of parts.entries()) {
    const from = partStarts[index] ?? 0;
    for (let unit = 0; unit < part.length; unit++) starts[at++] = from + unit;
  }
  return { text, starts, ends: starts.map((start) => start + 1) };
}

function applyRule(before: PlacedText, { pattern, replace }: FoldRule): PlacedText {
  const edits = Array.from(before.text.matchAll(pattern), ({ 0: found, index }) => ({
    start: index,
    end: index + found.length,
    by: replace(found, index, before.text),
  }));
  if (edits.length === 0) return before;
  const growth = edits.reduce((sum, { start, end, by }) => sum + by.length - (end - start), 0);
  const starts = new Int32Array(before.text.length + growth);
  const ends = new Int32Array(starts.length);
  const pieces: string[] = [];
  let from = 0;
  let to = 0;
  const keepUntil = (place: number) => {
    pieces.push(before.text.slice(from, place));
    starts.set(before.starts.subarray(from, place), to);
    ends.set(before.ends.subarray(from, place), to);
    to += place - from;
  };
  for (const { start, end, by } of edits) {
    keepUntil(start);
    pieces.push(by);
    starts.fill(before.starts[start] ?? 0, to, to + by.length);
    ends.fill(before.ends[end - 1] ?? 0, to, to + by.length);
    to += by.length;
    from = end;
  }
  keepUntil(before.text.length);
  return { text: pieces.join(''), starts, ends };
}

/** A part of a text, in UTF-16 code units. */
interface Span {
  readonly start: number;
  readonly end: number;
}

const mark = /\*{1,3}|_{1,3}|`+|\n/g;
const anyMark = /[*_`]/;
// What may not touch emphasis on the outside: `2**3`, `a*b`, `f(x)*(y)`. Scripts without spaces put it between letters.
const word = /[\p{N}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}_]/u;
const identifier = /^[a-z0-9]\w*$/;

/**
 * Returns the marks of Markdown that only make a part of a line stand out: `**bold**`, `__bold__`, `*so*`, `_so_` and
 * `` `code` ``, in their order. Marks that may mean something stay: the ones of `a * b`, `2**3`, `*args`,
 * `src/**\/*.ts`, `snake_case` and `__init__`. A text is read once.
 */
function findEmphasis(text: string): Span[] {
  if (!anyMark.test(text)) return [];
  const found: Span[] = [];
  let open = new Map<string, Span>();
  for (const { 0: kind, index: start } of text.matchAll(mark)) {
    if (kind === '\n') {
      open = new Map();
      continue;
    }
    const span = { start, end: start + kind.length };
    const before = open.get(kind);
    if (before !== undefined && closes(text, before, span)) {
      found.push(before, span);
      open.delete(kind);
    } else if (opens(text, span)) open.set(kind, span);
  }
  return found.sort((first, second) => first.start - second.start);
}

function opens(text: string, { start, end }: Span): boolean {
  const inside = text.charAt(end);
  if (text.charAt(start) === '`') return inside !== '';
  const outside = text.charAt(start - 1);
  return !/^[\s/]?$/u.test(inside) && !word.test(outside) && outside !== ')' && outside !== ']';
}

function closes(text: string, opening: Span, { start, end }: Span): boolean {
  if (opening.end === start) return false;
  if (text.charAt(start) === '`') return true;
  const isOutside = !/[\s/]/u.test(text.charAt(start - 1)) && !word.test(text.charAt(end));
  if (!isOutside || text.charAt(end) === '(') return false;
  return !text.startsWith('__', start) || !identifier.test(text.slice(opening.end, start).slice(0, 100));
}
