import { inflateRawSync } from 'node:zlib';
import { messageOf, type Place, TouchstoneError } from '../../core/errors.ts';
import { needPackage } from '../../core/lib/packages/need-package.ts';
import { ExactNumber, exactNumber, isWholeNumber } from '../../core/lib/json/exact-number.ts';
import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import type { DatasetReader, DatasetRow, TextSource } from './dataset.ts';
import { type CsvColumns, type CsvRecord, readCsvHeader } from './read-csv-record.ts';
import { exportSheet, refuseDisguisedFile } from './decode-text.ts';

type Cell = string | number | ExactNumber | boolean | Date | null;

/** The significant digits that spreadsheets keep and show: 0.1 + 0.2 is 0.3 there. */
const shownDigits = 15;

/**
 * The reader of the first sheet of an Excel workbook, with a header row. A cell is read as if the sheet had been saved
 * as CSV. The whole file is read at once, by the package read-excel-file.
 */
export const xlsx: DatasetReader = {
  name: 'xlsx',
  extensions: ['.xlsx'],
  hasTextCells: true,
  isBinary: true,
  async *read(source) {
    let columns: CsvColumns | undefined;
    const { rows, faults } = await readSheet(source);
    for (const [index, row] of rows.entries()) {
      const cells = row.map(textOf);
      const place = { file: source.name, line: index + 1, column: 1 };
      const fault = faults.get(place.line);
      if (fault !== undefined) {
        yield faultyRow({ ...place, column: fault.column }, fault.message);
        continue;
      }
      if (cells.every((cell) => cell === '')) continue;
      const { text, record } = toCsvRow(cells);
      if (columns === undefined) columns = readCsvHeader(record, text, place);
      else yield columns.toRow(record, text, place);
    }
  },
};

function faultyRow(place: Place, message: string): DatasetRow {
  const remedy = 'Correct it in a spreadsheet program and save the file there, or clear the cell.';
  return {
    value: undefined,
    place,
    problem: { place, message: `the cell contains ${message}`, remedy },
    locate: () => place,
  };
}

/**
 * Returns cells as a row of CSV in which each is one character long, so that the column of a place is the column of the
 * sheet.
 */
function toCsvRow(cells: string[]): { text: string; record: CsvRecord } {
  const record = { cells, starts: [...cells.keys()], end: cells.length };
  return { text: ' '.repeat(cells.length), record };
}

/** Returns the text of a cell as a person sees it, except for the format of numbers: 45 % is 0.45. */
function textOf(cell: Cell): string {
  if (cell === null) return '';
  if (cell instanceof ExactNumber) return cell.digits;
  if (cell instanceof Date) return textOfMoment(cell);
  if (typeof cell === 'number') return String(Number(cell.toPrecision(shownDigits)));
  return typeof cell === 'boolean' ? String(cell).toUpperCase() : cell;
}

/** Formats a time as `2026-02-11`, `2026-02-11 09:30:00`, or without a day as `09:30:00`. */
function textOfMoment(moment: Date): string {
  const [day = '', time = ''] = moment
    .toISOString()
    .replace(/\.\d+Z$/, '')
    .split('T');
  if (moment.getUTCFullYear() < 1900) return time;
  return time === '00:00:00' ? day : `${day} ${time}`;
}

interface Sheet {
  readonly rows: readonly (readonly Cell[])[];
  readonly faults: ReadonlyMap<number, SheetFault>;
}

async function readSheet({ name, bytes }: TextSource): Promise<Sheet> {
  if (bytes === undefined) throw new Error('a binary format is read from the bytes of a file');
  const whole = Buffer.concat(await Array.fromAsync(bytes()));
  if (!whole.subarray(0, 4).equals(Buffer.from('PK\x03\x04'))) refuseOther(whole, name);
  const { readSheet: read } = await needPackage('read-excel-file', {
    for: 'Reading .xlsx',
    load: async () => await import('read-excel-file/node'),
    also: `(6 MB). Or: ${exportSheet}`,
  });
  refuseVast(whole, name);
  try {
    const rows = (await read(whole, { trim: false, parseNumber })) as Sheet['rows'];
    return { rows, faults: findSheetFaults(whole) };
  } catch (error) {
    const message = `${name}: this cannot be read as an Excel workbook (${messageOf(error)})`;
    throw new TouchstoneError('dataset-unreadable', message, { remedy: exportSheet, cause: error });
  }
}

/**
 * Reads the number of a cell. A spreadsheet program keeps 15 digits, and writes up to 17; other programs write the ids of
 * their rows with all digits, which stay.
 */
function parseNumber(text: string): number | ExactNumber {
  const number = exactNumber(text);
  if (number === undefined) throw new Error(`a number is written as "${toTerminalText(text)}"`);
  return isWholeNumber(number) ? number : Number(number);
}

/** The most cells of a sheet up to its last row and column, with the empty ones. */
const mostCells = 20_000_000;

/** Refuses a sheet with a cell far out: read-excel-file keeps a place in memory for every cell before the last one, empty or not. */
function refuseVast(workbook: Buffer, name: string): void {
  const sheet = readEntry(workbook, pathOfFirstSheet(workbook)) ?? '';
  let [columns, rows] = [0, 0];
  for (const [, letters = '', row = ''] of sheet.matchAll(/[":]([A-Z]{1,3})(\d{1,7})"/g)) {
    columns = Math.max(columns, columnOf(letters));
    rows = Math.max(rows, Number(row));
  }
  if (columns * rows <= mostCells) return;
  const message = `${name}: the sheet reaches to row ${rows} and column ${columns}, with the empty cells more than ${mostCells / 1e6} million`;
  const remedy = 'Delete the empty rows and columns, or the cells far outside, and save the file.';
  throw new TouchstoneError('dataset-unreadable', message, { remedy });
}

/** Returns the number of a column from its letters: 1 for A, 27 for AA. */
function columnOf(letters: string): number {
  return Array.from(letters).reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0);
}

function refuseOther(whole: Uint8Array, name: string): never {
  refuseDisguisedFile(whole, name);
  throw new TouchstoneError('dataset-unreadable', `${name}: this is not an Excel workbook`, {
    remedy: 'Give the file the ending of its format, such as .csv or .jsonl.',
  });
}

/** A cell of the first sheet of a workbook whose value is missing. */
interface SheetFault {
  /** The column, from 1. */
  readonly column: number;
  /** The message, such as `#N/A`. */
  readonly message: string;
}

const cell = /<(?:\w+:)?c\s([^>]*?)(?:\/>|>(.*?)<\/(?:\w+:)?c>)/gs;

/**
 * Finds the cells that show an error, and the formulas without a saved result. The package that reads sheets treats
 * both as empty, and a case would silently lose an expectation. Returns the first fault of each row, by the number of
 * the row.
 */
function findSheetFaults(workbook: Buffer): ReadonlyMap<number, SheetFault> {
  const sheet = readEntry(workbook, pathOfFirstSheet(workbook)) ?? '';
  const found = new Map<number, SheetFault>();
  for (const [, attributes = '', content = ''] of sheet.matchAll(cell)) {
    const message = faultOf(attributes, content);
    const [, letters = '', row = ''] = /\br="([A-Z]+)(\d+)"/.exec(attributes) ?? [];
    if (message === undefined || letters === '' || found.has(Number(row))) continue;
    found.set(Number(row), { column: columnOf(letters), message });
  }
  return found;
}

function faultOf(attributes: string, content: string): string | undefined {
  const [, value = ''] = /<(?:\w+:)?v>(.*?)<\/(?:\w+:)?v>/s.exec(content) ?? [];
  if (/\bt="e"/.test(attributes)) return `the error ${value}`;
  const isText = /\bt="str"/.test(attributes);
  const hasNoResult = value === '' && !(isText && /<(?:\w+:)?v\b/.test(content));
  return hasNoResult && /<(?:\w+:)?f\b/.test(content) ? 'a formula without its result' : undefined;
}

function pathOfFirstSheet(workbook: Buffer): string {
  const [, id = ''] =
    /<(?:\w+:)?sheet\s[^>]*?\br:id="([^"]*)"/.exec(readEntry(workbook, 'xl/workbook.xml') ?? '') ?? [];
  const relations = readEntry(workbook, 'xl/_rels/workbook.xml.rels') ?? '';
  const relation = [...relations.matchAll(/<Relationship\s[^>]*>/g)].find(([tag]) =>
    tag.includes(`Id="${id}"`),
  );
  const [, target = ''] = /Target="([^"]*)"/.exec(relation?.[0] ?? '') ?? [];
  return target.startsWith('/') ? target.slice(1) : `xl/${target}`;
}

/**
 * Returns the text of a file in a zip archive, by the directory at its end (PKWARE APPNOTE 4.3.12); undefined without
 * such a file.
 */
function readEntry(archive: Buffer, wanted: string): string | undefined {
  const end = archive.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  let at = end === -1 ? -1 : archive.readUInt32LE(end + 16);
  while (at !== -1 && archive.toString('latin1', at, at + 4) === 'PK\x01\x02') {
    const [nameSize, extraSize, commentSize] = [28, 30, 32].map((place) =>
      archive.readUInt16LE(at + place),
    ) as [number, number, number];
    if (archive.toString('utf8', at + 46, at + 46 + nameSize) === wanted) return readData(archive, at);
    at += 46 + nameSize + extraSize + commentSize;
  }
  return undefined;
}

/**
 * Reads the data of a file in a zip archive.
 * @param entry - The offset of the file's entry in the archive's directory.
 */
function readData(archive: Buffer, entry: number): string {
  const [method, size, local] = [
    archive.readUInt16LE(entry + 10),
    archive.readUInt32LE(entry + 20),
    archive.readUInt32LE(entry + 42),
  ];
  const from = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
  const data = archive.subarray(from, from + size);
  return (method === 0 ? data : inflateRawSync(data)).toString('utf8');
}
