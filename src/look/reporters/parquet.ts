import type { BasicType, ByteWriter, ColumnSource, ParquetWriter } from 'hyparquet-writer';
import type { Result } from '../../core/schema/result.ts';
import type { Reporter } from './reporter.ts';
import { type Cell, type TrialColumn, trialColumns } from './trial-table.ts';

/** The most rows of a row group, and the most characters of text from which it is written early. */
const mostRows = 5000;
const mostCharacters = 2 ** 24;

/**
 * The reporter for data tools: the columns of the CSV report, typed and nullable, with whole texts. One row group is in
 * memory at a time.
 */
export const parquet: Reporter<Uint8Array> = {
  name: 'parquet',
  extensions: ['.parquet'],
  async *report({ run, results }) {
    const file = await openTable(trialColumns(run));
    for await (const result of results()) {
      if (file.add(result)) yield file.writeGroup();
    }
    yield file.writeGroup();
    yield file.finish();
  },
};

/** A table that is being written. */
interface OpenTable {
  /** Adds a row. Returns true when the row group is large enough to be written. */
  add(result: Result): boolean;
  /** Returns the bytes of the rows since the last group. */
  writeGroup(): Uint8Array;
  /** Returns the bytes of the footer. */
  finish(): Uint8Array;
}

async function openTable(columns: readonly TrialColumn[]): Promise<OpenTable> {
  // Loaded only when a Parquet file is written.
  const { ByteWriter, ParquetWriter, schemaFromColumnData } = await import('hyparquet-writer');
  const sourcesOf = (rows: readonly Cell[][]): ColumnSource[] =>
    columns.map(({ name, type }, index) => ({
      name,
      type: types[type],
      nullable: true,
      data: rows.map((row) => toValue(row[index], type)),
      offsetIndex: false,
    }));
  const writer: ByteWriter = new ByteWriter();
  const schema = schemaFromColumnData({ columnData: sourcesOf([]) });
  const file: ParquetWriter = new ParquetWriter({ writer, schema, createdBy: 'touchstone' });
  const takeBytes = (): Uint8Array => {
    const bytes = writer.getBytes().slice();
    writer.index = 0;
    return bytes;
  };
  let rows: Cell[][] = [];
  let characters = 0;
  return {
    add(result) {
      const row = columns.map(({ read }) => read(result));
      rows.push(row);
      for (const cell of row) characters += typeof cell === 'string' ? cell.length : 0;
      return rows.length >= mostRows || characters >= mostCharacters;
    },
    writeGroup() {
      if (rows.length > 0) void file.write({ columnData: sourcesOf(rows), rowGroupSize: rows.length });
      rows = [];
      characters = 0;
      return takeBytes();
    },
    finish() {
      void file.finish();
      return takeBytes();
    },
  };
}

const types: Readonly<Record<TrialColumn['type'], BasicType>> = {
  text: 'STRING',
  number: 'DOUBLE',
  integer: 'INT64',
  boolean: 'BOOLEAN',
};

/** Returns a cell as Parquet's type has it; null for what was not measured. */
function toValue(cell: Cell, type: TrialColumn['type']): string | number | bigint | boolean | null {
  if (cell === undefined || cell === null) return null;
  if (type !== 'integer') return cell;
  return Number.isSafeInteger(cell) ? BigInt(cell) : null;
}
