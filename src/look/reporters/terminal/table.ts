import { firstUnits, toTerminalText, wrap } from '../../../core/lib/text/terminal-text.ts';
import { formatCount, formatPlural } from '../../report/format.ts';
import { flow } from './flow.ts';
import { cutLine, type Line, lineWidth, type Span, span, type Tone } from './line.ts';

/** A column of a table. The first column is shortened when the table is too wide. */
export interface Column {
  readonly title: string;
  readonly align?: 'left' | 'right';
  /** True for a column that is left out when the table does not fit, beginning with the last. */
  readonly isOptional?: boolean;
}

/** A table of columns and rows. Each cell is a line. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly Line[])[];
}

const gap = 2;
const leastFirst = 16;

/**
 * Formats a table to fit a width, under dimmed titles, indented by two columns. If not even a short first column fits
 * beside the others, it gets its own lines.
 */
export function setTable(table: Table, width: number): Line[] {
  const { columns, rows } = fitting(withoutEmpty(table), width - gap);
  const titles = columns.map(({ title }) => [span(title, 'quiet')]);
  const shownRows = columns.some(({ title }) => title !== '') ? [titles, ...rows] : rows;
  const widths = naturalWidths({ columns, rows });
  const room = width - gap - sum(widths.slice(1).map((column) => column + gap));
  if (room < Math.min(widths[0] ?? 0, leastFirst)) {
    return shownRows.flatMap((row) => setStacked(row, columns, widths, width));
  }
  widths[0] = Math.min(widths[0] ?? 0, room);
  return shownRows.map((row) => setRow(row, columns, widths));
}

function setStacked(
  row: readonly Line[],
  columns: readonly Column[],
  widths: readonly number[],
  width: number,
): Line[] {
  const values = setRow(row.slice(1), columns.slice(1), widths.slice(1));
  return [cutLine([span(' '.repeat(gap)), ...(row[0] ?? [])], width), [span(' '.repeat(gap)), ...values]];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((all, number) => all + number, 0);
}

function setRow(row: readonly Line[], columns: readonly Column[], widths: readonly number[]): Line {
  return row.flatMap((cell, index) => {
    const width = widths[index] ?? 0;
    const shown = cutLine(cell, width);
    const padding = span(' '.repeat(Math.max(0, width - lineWidth(shown))));
    const set = columns[index]?.align === 'right' ? [padding, ...shown] : [...shown, padding];
    return [span(' '.repeat(gap)), ...set];
  });
}

function withoutEmpty({ columns, rows }: Table): Table {
  const isFilled = columns.map(
    (_, index) => index === 0 || rows.some((row) => lineWidth(row[index] ?? []) > 0),
  );
  return pick({ columns, rows }, (index) => isFilled[index] === true);
}

function fitting(table: Table, width: number): Table {
  const natural = naturalWidths(table);
  const first = Math.min(natural[0] ?? 0, leastFirst);
  const needed = first + sum(natural.slice(1).map((column) => column + gap));
  const optional = table.columns.findLastIndex(({ isOptional }) => isOptional);
  if (needed <= width || optional === -1) return table;
  return fitting(
    pick(table, (index) => index !== optional),
    width,
  );
}

function pick({ columns, rows }: Table, isKept: (index: number) => boolean): Table {
  const keep = <Item>(items: readonly Item[]): Item[] => items.filter((_, index) => isKept(index));
  return { columns: keep(columns), rows: rows.map(keep) };
}

function naturalWidths({ columns, rows }: Table): number[] {
  return columns.map(({ title }, index) =>
    Math.max(title.length, ...rows.map((row) => lineWidth((row[index] ?? []).map(safe)))),
  );
}

function safe(part: Span): Span {
  return { ...part, text: toTerminalText(part.text) };
}

const labelWidth = 10;
const indent = 4;

/** The layout of a text beside its label. */
interface BlockLook {
  readonly width: number;
  /** The most lines, after which the text is cut and its size is shown; no limit by default. */
  readonly most?: number;
  readonly tone?: Tone;
}

/** Formats a text of any size in its own column, with a label before the first line; nothing for an empty text. */
export function block(label: string, text: string, { width, most = Infinity, tone }: BlockLook): Line[] {
  if (text.trim() === '') return [];
  const room = width - labelWidth - indent;
  // Cutting before wrapping keeps a huge text cheap.
  const head = Number.isFinite(most) ? firstUnits(text, most * room * 2) : text;
  const lines = wrap(head.trimEnd(), room);
  const isCut = head.length < text.length || lines.length > most;
  const shown = lines.slice(0, isCut ? most : lines.length).map((line) => [span(line, tone)]);
  const rest: Line[] = isCut ? [[span(`… cut; ${sizeOf(text)} in total`, 'quiet')]] : [];
  return [...shown, ...rest].map((line, index) => [...startOf(index === 0 ? label : ''), ...line]);
}

/** Formats a line in its own column, with a label before it. */
export function labelled(label: string, line: Line, width: number): Line[] {
  return flow(line, { width, first: startOf(label) });
}

function startOf(label: string): Line {
  return [span(' '.repeat(indent)), span(label.padEnd(labelWidth), 'quiet')];
}

function sizeOf(text: string): string {
  return text.length < 10_000
    ? formatPlural(text.length, 'character')
    : `${formatCount(text.length / 1000)} thousand characters`;
}
