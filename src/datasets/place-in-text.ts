import type { Place } from '../errors.ts';

/** The place of an offset in a text that itself begins at `start`. */
export function placeInText(text: string, offset: number, start: Place): Required<Place> {
  const before = text.slice(0, offset);
  const breaks = before.match(/\r\n|\n|\r/g)?.length ?? 0;
  const sinceBreak = offset - 1 - Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r'));
  const line = (start.line ?? 1) + breaks;
  return { file: start.file, line, column: breaks === 0 ? (start.column ?? 1) + offset : sinceBreak + 1 };
}
