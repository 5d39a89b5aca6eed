import type { Reporter } from './reporter.ts';
import { type Cell, trialColumns } from './trial-table.ts';

/** The byte order mark of UTF-8; without it spreadsheets assume another encoding. */
const byteOrderMark = '\ufeff';

/** The most characters of a text in a cell; Excel allows 32,767. */
const longestText = 32_000;

const pieceLength = 65_536;

/** The reporter for spreadsheets: a row for every trial with question, answer, metrics, score, error, time and cost. */
export const csv: Reporter = {
  name: 'csv',
  extensions: ['.csv'],
  async *report({ run, results }) {
    const columns = trialColumns(run);
    let piece = byteOrderMark + csvLine(columns.map(({ name }) => name));
    for await (const result of results()) {
      piece += csvLine(columns.map(({ read }) => read(result)));
      if (piece.length < pieceLength) continue;
      yield piece;
      piece = '';
    }
    yield piece;
  },
};

/** Formats a row as CSV: ended by `\r\n`, with quotes around texts that need them. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(setCell).join(',')}\r\n`;
}

/** Formats a cell. A text that a spreadsheet would read as a formula gets an apostrophe before it. */
function setCell(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell !== 'string') return String(cell);
  const short =
    cell.length <= longestText
      ? cell
      : `${cell.slice(0, longestText)}… [cut: ${longestText} of ${cell.length} characters]`;
  const text = /^\s*[=+\-@|\t\r\uff1d\uff0b\uff0d\uff20]/u.test(short) ? `'${short}` : short;
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
