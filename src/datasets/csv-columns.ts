import { formatPlace, type Place, TouchstoneError } from '../errors.ts';
import { setMember } from '../lib/set-member.ts';
import { shorten } from '../lib/terminal-text.ts';
import type { DatasetRow } from './dataset.ts';
import { placeInText } from './place-in-text.ts';
import type { CsvRecord } from './read-csv-record.ts';

/** The columns of a CSV file, as its header names them. */
export interface CsvColumns {
  /** Gives a row's cells their names; empty cells are absent. `place` is where the row begins. */
  toRow(record: CsvRecord, text: string, place: Place): DatasetRow;
}

/** Reads the header row. Throws `dataset-invalid` for names that occur twice. */
export function readCsvHeader(header: CsvRecord, text: string, place: Place): CsvColumns {
  const names = header.cells.map((cell) => cell.trim());
  const repeated = names.findIndex((name, index) => name !== '' && names.indexOf(name) < index);
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
    if (name === '')
      return { value, place, problem: unnamed(cell, cellPlace(record, text, place, index)), locate };
    setMember(value, name, cell);
  }
  return { value, place, locate };
}

function wrongCount(names: readonly string[], count: number, place: Place) {
  const message = `expected ${names.length} cells as in the header (${shorten(names.join(', '), 80)}), found ${count}`;
  const remedy =
    count > names.length
      ? 'Put a cell that holds the delimiter in quotation marks.'
      : 'Write the delimiter for empty cells, too.';
  return { place, message, remedy };
}

function unnamed(cell: string, place: Place) {
  const message = `the text "${shorten(cell, 40)}" stands in a column without a name`;
  return { place, message, remedy: 'Give each column a name in the header row, or remove it.' };
}

function cellPlace(record: CsvRecord, text: string, place: Place, index: number): Place {
  const from = record.starts[0] as number;
  return placeInText(text.slice(from, record.end), (record.starts[index] ?? from) - from, place);
}
