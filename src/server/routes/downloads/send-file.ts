import type { Context } from 'hono';
import { csvLine } from '../../../look/reporters/csv.ts';
import type { Cell } from '../../../look/reporters/trial-table.ts';
import { describeUse } from '../../route.ts';

/** A row of a table, with the names of its columns. */
export type TableRow = Readonly<Record<string, Cell>>;

/** The name of a file without its extension, and its format. */
interface FileChoice {
  readonly name: string;
  readonly format: keyof typeof types;
}

const types = {
  csv: 'text/csv; charset=utf-8',
  jsonl: 'application/x-ndjson; charset=utf-8',
  html: 'text/html; charset=utf-8',
} as const;

/** The byte order mark of UTF-8; without it spreadsheets assume another encoding. */
const byteOrderMark = '\ufeff';

/** Sends the rows of a table as a file of CSV, or of JSON lines. All rows have the columns of the first. */
export function sendRows(context: Context, rows: AsyncIterable<TableRow>, choice: FileChoice): Response {
  return sendStream(context, choice.format === 'csv' ? csvOf(rows) : linesOf(rows), choice);
}

/** Sends a text as a file, piece by piece, so that its size is no matter. A browser saves it and never shows it. */
export function sendStream(
  context: Context,
  pieces: AsyncIterable<string>,
  { name, format }: FileChoice,
): Response {
  describeUse(context, { file: format });
  const encoded = ReadableStream.from(pieces).pipeThrough(new TextEncoderStream());
  return context.body(encoded, 200, {
    'Content-Type': types[format],
    'Content-Disposition': `attachment; filename="${name.replaceAll(/[^\w.-]/g, '_')}.${format}"`,
  });
}

async function* csvOf(rows: AsyncIterable<TableRow>): AsyncIterable<string> {
  let isFirst = true;
  for await (const row of rows) {
    if (isFirst) yield byteOrderMark + csvLine(Object.keys(row));
    isFirst = false;
    yield csvLine(Object.values(row));
  }
}

async function* linesOf(rows: AsyncIterable<TableRow>): AsyncIterable<string> {
  for await (const row of rows) yield `${JSON.stringify(row)}\n`;
}
