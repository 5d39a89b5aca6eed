/** What can stand in a cell of a table. */
export type Cell = string | number | boolean | null | undefined;

/** Sets rows as CSV: `\r\n` after each line, and a text in quotes where it needs them. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(setCell).join(',')}\r\n`;
}

/** Text that a spreadsheet would take for a formula gets an apostrophe before it. */
function setCell(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell !== 'string') return String(cell);
  const text = /^\s*[=+\-@|\t\r\uff1d\uff0b\uff0d\uff20]/u.test(cell) ? `'${cell}` : cell;
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
