import type { LoadedCase } from '../../evaluate/run/prepare/check-draft.ts';
import { TouchstoneError } from '../../core/errors.ts';

/** The lines of a file that hold one row of a dataset. */
export interface RowText {
  /** The text before the row, the row itself without the line break at its end, and the text after it. */
  readonly before: string;
  readonly text: string;
  readonly after: string;
  /** The first line of the row, from 1. */
  readonly line: number;
}

/** The beginning of a row: a case, or a row that is no case. */
export type RowStart = Pick<LoadedCase, 'place'>;

/**
 * Cuts the lines of one row out of the text of a file: from its first line to the line before the next row.
 * @param rows - The rows of the file in their order.
 * @param index - The index of the row.
 * @throws TouchstoneError with `edit-refused` where rows are not lines of their own, as in a table of a workbook.
 */
export function cutRow(text: string, rows: readonly RowStart[], index: number): RowText {
  const [line, next] = [rows[index]?.place.line, rows[index + 1]?.place.line];
  const isAlone = line !== undefined && line !== rows[index - 1]?.place.line && line !== next;
  if (!isAlone)
    throw new TouchstoneError('edit-refused', 'The row of this question has no lines of its own.', {
      remedy: 'Edit the file with the program that wrote it.',
    });
  const from = offsetOfLine(text, line);
  const to = next === undefined ? text.length : offsetOfLine(text, next);
  const lines = text.slice(from, to);
  const row = lines.trimEnd();
  return { before: text.slice(0, from), text: row, after: lines.slice(row.length) + text.slice(to), line };
}

/** Returns the offset at which a line begins, counted from 1. */
function offsetOfLine(text: string, line: number): number {
  let offset = 0;
  for (let count = 1; count < line; count += 1) {
    const end = text.indexOf('\n', offset);
    if (end < 0) return text.length;
    offset = end + 1;
  }
  return offset;
}
