import type { Label } from '../../../../src/core/schema/review/label.ts';

/** Marked words of the answer. */
export type Span = NonNullable<Label['spans']>[number];

/** Words of a text that are chosen by keys, by the numbers of the first chosen and of the last. */
export interface WordChoice {
  readonly anchor: number;
  readonly focus: number;
}

/** A piece of a text that is shown alike. */
export interface Piece {
  readonly text: string;
  readonly isMarked: boolean;
  readonly isChosen: boolean;
}

/** Returns the places of the words of a text, in UTF-16 code units. */
export function wordsOf(text: string): { readonly start: number; readonly end: number }[] {
  return Array.from(text.matchAll(/\S+/gu), ({ index, 0: word }) => ({
    start: index,
    end: index + word.length,
  }));
}

/** Moves the choice by a number of words within a text; when it is extended, its other end stays. */
export function moveChoice(
  { anchor, focus }: WordChoice,
  {
    step,
    isExtended,
    words,
  }: { readonly step: number; readonly isExtended: boolean; readonly words: number },
): WordChoice {
  const next = Math.min(Math.max(focus + step, 0), Math.max(words - 1, 0));
  return { anchor: isExtended ? anchor : next, focus: next };
}

/** Returns the chosen words as a span; undefined for a text without words. */
export function spanOf(text: string, { anchor, focus }: WordChoice): Span | undefined {
  const words = wordsOf(text);
  const [first, last] = [words[Math.min(anchor, focus)], words[Math.max(anchor, focus)]];
  if (first === undefined || last === undefined) return undefined;
  return { start: first.start, end: last.end, text: text.slice(first.start, last.end) };
}

/** Marks a span, joined with those that it touches; a span that is marked already is no longer marked. */
export function toggleSpan(text: string, spans: readonly Span[], span: Span): Span[] {
  const isInside = spans.some(({ start, end }) => start <= span.start && end >= span.end);
  if (isInside) return spans.filter(({ start, end }) => start > span.start || end < span.end);
  const isTouched = (each: Span) => each.start <= span.end && each.end >= span.start;
  const touched = [...spans.filter(isTouched), span];
  const start = Math.min(...touched.map((each) => each.start));
  const end = Math.max(...touched.map((each) => each.end));
  return [...spans.filter((each) => !isTouched(each)), { start, end, text: text.slice(start, end) }].sort(
    (one, other) => one.start - other.start,
  );
}

/** Splits a text where marked or chosen words begin and end. */
export function splitAtMarks(text: string, spans: readonly Span[], chosen: Span | undefined): Piece[] {
  const all = chosen === undefined ? spans : [...spans, chosen];
  const limits = new Set([0, text.length, ...all.flatMap(({ start, end }) => [start, end])]);
  const places = [...limits].filter((place) => place <= text.length).sort((one, other) => one - other);
  return places.slice(0, -1).map((start, index) => {
    const end = places[index + 1] ?? text.length;
    const isIn = (span: Span | undefined) => span !== undefined && span.start <= start && span.end >= end;
    return { text: text.slice(start, end), isMarked: spans.some(isIn), isChosen: isIn(chosen) };
  });
}
