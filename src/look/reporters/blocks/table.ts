import { toTerminalText } from '../../../core/lib/text/terminal-text.ts';
import type { Column, Row, Table } from './block.ts';
import { setEntry, shown } from './entry.ts';
import { cutLine } from './line.ts';
import { span, type Text, textWidth } from './text.ts';

/** The columns and rows of a table in a terminal, where each line of cells is a row. */
interface Grid {
  readonly columns: readonly Column[];
  readonly rows: readonly Omit<Row, 'below'>[];
}

const gap = 2;
const leastFirst = 16;

/**
 * Sets a table to fit a width, under dimmed titles, indented by two columns. If not even a short first column fits
 * next to the others, it gets its own lines.
 */
export function setTable(table: Pick<Table, 'columns' | 'rows'>, width: number): Text[] {
  const { columns, rows } = fitting(toGrid(withoutEmpty(table)), width - gap);
  const titles: Row = { cells: columns.map(({ title }) => [span(title, 'quiet')]) };
  const shownRows = columns.some(({ title }) => title !== '') ? [titles, ...rows] : rows;
  const widths = naturalWidths({ columns, rows });
  const room = width - gap - sum(widths.slice(1).map((column) => column + gap));
  const isStacked = room < Math.min(widths[0] ?? 0, leastFirst);
  if (!isStacked) widths[0] = Math.min(widths[0] ?? 0, room);
  return shownRows.flatMap(({ cells, above = [] }) => [
    ...above.flatMap((entry) => setEntry(entry, { width, indent: gap })),
    ...(isStacked ? setStacked(cells, { columns, widths, width }) : [setRow(cells, columns, widths)]),
  ]);
}

/** Returns a table without the columns that have no content, except for the first. */
export function withoutEmpty<Shape extends Pick<Table, 'columns' | 'rows'>>(table: Shape): Shape {
  const { columns, rows } = table;
  const isFilled = columns.map(
    (_, index) =>
      index === 0 || rows.some(({ cells, below = [] }) => isFull(cells[index]) || isFull(below[index])),
  );
  const keep = <Item>(items: readonly Item[]): Item[] => items.filter((_, index) => isFilled[index] === true);
  return {
    ...table,
    columns: keep(columns),
    rows: rows.map((row): Row => ({ ...row, cells: keep(row.cells), below: row.below && keep(row.below) })),
  };
}

function isFull(cell: Text | undefined): boolean {
  return cell?.some(({ text }) => text !== '') === true;
}

function toGrid({ columns, rows }: Pick<Table, 'columns' | 'rows'>): Grid {
  return {
    columns,
    rows: rows.flatMap(({ cells, below, above }) => {
      const row = { cells: cells.map(shown), above };
      return below === undefined ? [row] : [row, { cells: below.map(shown) }];
    }),
  };
}

/** The columns of a table with their widths, and the whole width. */
interface Layout {
  readonly columns: readonly Column[];
  readonly widths: readonly number[];
  readonly width: number;
}

function setStacked(row: readonly Text[], { columns, widths, width }: Layout): Text[] {
  const values = setRow(row.slice(1), columns.slice(1), widths.slice(1));
  return [cutLine([span(' '.repeat(gap)), ...(row[0] ?? [])], width), [span(' '.repeat(gap)), ...values]];
}

function setRow(row: readonly Text[], columns: readonly Column[], widths: readonly number[]): Text {
  return widths.flatMap((width, index) => {
    const shown = cutLine(row[index] ?? [], width);
    const padding = span(' '.repeat(Math.max(0, width - textWidth(shown))));
    const set = columns[index]?.align === 'right' ? [padding, ...shown] : [...shown, padding];
    return [span(' '.repeat(gap)), ...set];
  });
}

function fitting(grid: Grid, width: number): Grid {
  const natural = naturalWidths(grid);
  const first = Math.min(natural[0] ?? 0, leastFirst);
  const needed = first + sum(natural.slice(1).map((column) => column + gap));
  const optional = grid.columns.findLastIndex(({ isOptional }) => isOptional);
  if (needed <= width || optional === -1) return grid;
  const keep = <Item>(items: readonly Item[]): Item[] => items.filter((_, index) => index !== optional);
  const rows = grid.rows.map((row) => ({ ...row, cells: keep(row.cells) }));
  return fitting({ columns: keep(grid.columns), rows }, width);
}

function naturalWidths({ columns, rows }: Grid): number[] {
  return columns.map(({ title }, index) =>
    Math.max(
      title.length,
      ...rows.map(({ cells }) =>
        textWidth((cells[index] ?? []).map((part) => ({ ...part, text: toTerminalText(part.text) }))),
      ),
    ),
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}
