import { formatPlace, type Place, TouchstoneError } from '../../core/errors.ts';
import { setMember } from '../../core/lib/objects.ts';
import { shorten } from '../../core/lib/text/terminal-text.ts';
import type { DatasetRow } from './dataset.ts';
import { placeInText } from './text-cursor.ts';

/** One row of a CSV text: its cells, and the offset in the text at which each of them begins. */
export interface CsvRecord {
  readonly cells: string[];
  readonly starts: number[];
  /** The offset after the row's line break. */
  readonly end: number;
}

/** A violation of the rules for quotation marks in a CSV text. */
export interface CsvFault {
  readonly offset: number;
  readonly message: string;
  readonly remedy: string;
}

export interface CsvText {
  readonly text: string;
  /** The code of the character between cells. */
  readonly delimiter: number;
  /** True when no text follows. */
  readonly isWhole: boolean;
}

const quote = 0x22;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;

/**
 * Reads the row at an offset, by RFC 4180: cells in quotation marks may contain delimiters, line breaks and doubled
 * quotation marks. Undefined when the row continues beyond a text that is not whole.
 */
export function readCsvRecord(csv: CsvText, from: number): CsvRecord | CsvFault | undefined {
  const { text, delimiter } = csv;
  const cells: string[] = [];
  const starts: number[] = [];
  let at = from;
  for (;;) {
    starts.push(at);
    const after = text.charCodeAt(at) === quote ? readQuoted(csv, at, cells) : readBare(csv, at, cells);
    if (typeof after !== 'number') return after;
    const code = text.charCodeAt(after);
    if (code !== delimiter) return endRecord(csv, after, { cells, starts });
    at = after + 1;
    if (at === text.length && !csv.isWhole) return undefined;
  }
}

function endRecord(
  { text, isWhole }: CsvText,
  at: number,
  record: Omit<CsvRecord, 'end'>,
): CsvRecord | undefined {
  if (at === text.length) return isWhole ? { ...record, end: at } : undefined;
  if (text.charCodeAt(at) === lineFeed) return { ...record, end: at + 1 };
  if (at + 1 === text.length && !isWhole) return undefined;
  return { ...record, end: text.charCodeAt(at + 1) === lineFeed ? at + 2 : at + 1 };
}

/**
 * Adds an unquoted cell and returns the offset of its end. A quotation mark inside is an ordinary character, as in most
 * programs; after only spaces it was meant to open the cell.
 */
function readBare({ text, delimiter }: CsvText, from: number, cells: string[]): number | CsvFault {
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === delimiter || code === lineFeed || code === carriageReturn) break;
    if (code === quote && text.slice(from, at).trim() === '') {
      return {
        offset: at,
        message: 'expected the quotation mark that opens a cell at its very beginning',
        remedy: 'Remove the space before the quotation mark.',
      };
    }
  }
  cells.push(text.slice(from, at));
  return at;
}

/** Adds a quoted cell and returns the offset of its end. */
function readQuoted(csv: CsvText, from: number, cells: string[]): number | CsvFault | undefined {
  const { text, isWhole } = csv;
  let hasDoubled = false;
  let at = text.indexOf('"', from + 1);
  for (; at >= 0 && text.charCodeAt(at + 1) === quote; at = text.indexOf('"', at + 2)) hasDoubled = true;
  if (at < 0) {
    const message = 'the quotation mark that opens this cell is never closed';
    return isWhole ? { offset: from, message, remedy: 'Close the cell with a quotation mark.' } : undefined;
  }
  const after = at + 1;
  if (after === text.length && !isWhole) return undefined;
  if (!endsCell(csv, after)) {
    return {
      offset: after,
      message: 'expected the end of the cell after its closing quotation mark',
      remedy: 'Double the quotation marks inside a cell ("say ""hi"""), or close the cell before this one.',
    };
  }
  const cell = text.slice(from + 1, at);
  cells.push(hasDoubled ? cell.replaceAll('""', '"') : cell);
  return after;
}

function endsCell({ text, delimiter }: CsvText, at: number): boolean {
  const code = text.charCodeAt(at);
  return at >= text.length || code === delimiter || code === lineFeed || code === carriageReturn;
}

/** The columns of a CSV file, from its header. */
export interface CsvColumns {
  /** Names the cells of a row; empty cells are absent. `place` is the beginning of the row. */
  toRow(record: CsvRecord, text: string, place: Place): DatasetRow;
}

/** Reads the header row. Throws `dataset-invalid` for names that occur twice. */
export function readCsvHeader(header: CsvRecord, text: string, place: Place): CsvColumns {
  const names = header.cells.map((cell) => cell.trim());
  const first = new Map(names.map((name, index) => [name, index] as const).reverse());
  const repeated = names.findIndex((name, index) => name !== '' && first.get(name) !== index);
  if (repeated >= 0) {
    const where = formatPlace(cellPlace(header, text, place, repeated));
    throw new TouchstoneError(
      'dataset-invalid',
      `${where}: two columns are named "${shorten(names[repeated] as string, 40)}"`,
      { remedy: 'Give each column in the header row a name of its own.' },
    );
  }
  return { toRow: (record, rowText, rowPlace) => toRow(names, record, rowText, rowPlace) };
}

function toRow(names: readonly string[], record: CsvRecord, text: string, place: Place): DatasetRow {
  const { cells } = record;
  const locate = ([name]: readonly PropertyKey[]) =>
    cellPlace(record, text, place, Math.max(0, names.indexOf(String(name))));
  if (cells.length !== names.length) {
    return { value: undefined, place, problem: wrongCount(names, cells.length, place), locate };
  }
  const value: Record<string, string> = {};
  for (let index = 0; index < cells.length; index += 1) {
    const cell = cells[index] as string;
    if (cell === '') continue;
    const name = names[index] as string;
    if (index === 0 && isIndex(name, cell)) continue;
    if (name === '')
      return { value, place, problem: unnamed(cell, cellPlace(record, text, place, index)), locate };
    setMember(value, name, cell);
  }
  return { value, place, locate };
}

/** Returns whether the first cell is the number of its row, as pandas writes it without `index=False`. */
function isIndex(name: string, cell: string): boolean {
  return /^(?:|Unnamed: 0(?:\.\d+)?)$/.test(name) && /^\d+$/.test(cell);
}

function wrongCount(names: readonly string[], count: number, place: Place) {
  const message = `expected ${names.length} cells as in the header (${shorten(names.join(', '), 80)}), found ${count}`;
  const remedy =
    count > names.length
      ? 'Put a cell that contains the delimiter in quotation marks.'
      : 'Write the delimiter for empty cells, too.';
  return { place, message, remedy };
}

function unnamed(cell: string, place: Place) {
  const message = `the text "${shorten(cell, 40)}" is in a column without a name`;
  return {
    place,
    message,
    remedy:
      'Give the column a name in the header row, or remove it. Where the text belongs to the cell before it, put that cell in quotation marks.',
  };
}

function cellPlace(record: CsvRecord, text: string, place: Place, index: number): Place {
  const from = record.starts[0] as number;
  return placeInText(text.slice(from, record.end), (record.starts[index] ?? from) - from, place);
}
