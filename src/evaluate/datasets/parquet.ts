import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { AsyncBuffer, Compressors, FileMetaData } from 'hyparquet';
import { messageOf, type Place, TouchstoneError } from '../../core/errors.ts';
import { exactNumberOf } from '../../core/lib/json/exact-number.ts';
import { isContainer } from '../../core/lib/json/is-container.ts';
import type { DatasetReader, DatasetRow, TextSource } from './dataset.ts';

/**
 * The fewest rows that are read at a time, and the most parts that a row group is read in. The package unpacks a whole row group for each
 * part of it.
 */
const rowsAtOnce = 1_000;
const partsOfGroup = 8;

/** The most rows of one row group, which are in memory together; writers make groups of at most 1,048,576 rows by default. */
const mostRowsOfGroup = 2 ** 21;

/** The most bytes of one page, unpacked; writers make pages of about a megabyte. */
const maxOutputLength = 256 * 2 ** 20;

/** The compressions besides Snappy, which the package reads itself. A page that unpacks to more is refused. */
const compressors: Compressors = {
  GZIP: (input) => gunzipSync(input, { maxOutputLength }),
  BROTLI: (input) => brotliDecompressSync(input, { maxOutputLength }),
  ZSTD: (input) => zstdDecompressSync(input, { maxOutputLength }),
};

/**
 * The reader of Parquet, as the Hugging Face Hub has it: a row is an object, with lists and objects in it. The whole file is in
 * memory, its rows are read a thousand at a time, by the package hyparquet.
 */
export const parquet: DatasetReader = {
  name: 'parquet',
  extensions: ['.parquet'],
  isBinary: true,
  read: (source) => readParquet(source),
};

/** A value that JSON does not have: a number that is none, or bytes, of which the size is stored. */
export type ParquetLoss = 'no number' | 'bytes';

/** Limits on what is read of a Parquet file, which may be a thousand times as large as the file. */
interface ParquetLimits {
  readonly rows: number;
  /** The most values: rows times columns. */
  readonly values: number;
}

/**
 * Reads the rows, and calls a function for each value that is lost. Throws `dataset-unreadable` before the first row when the
 * footer of the file states more rows than the limits allow.
 */
export async function* readParquet(
  source: TextSource,
  { onLoss, limits }: { readonly onLoss?: (loss: ParquetLoss) => void; readonly limits?: ParquetLimits } = {},
): AsyncGenerator<DatasetRow> {
  const { file, metadata, readObjects } = await open(source);
  refuseGigantic(metadata, { name: source.name, limits });
  let groupStart = 0;
  for (const { num_rows: count } of metadata.row_groups) {
    const groupEnd = groupStart + Number(count);
    const step = Math.max(rowsAtOnce, Math.ceil(Number(count) / partsOfGroup));
    for (let from = groupStart; from < groupEnd; from += step) {
      const to = Math.min(groupEnd, from + step);
      for (const [index, row] of (await readObjects(file, from, to)).entries()) {
        const place: Place = { file: source.name, line: from + index + 1, column: 1 };
        yield { value: toJson(withoutIndex(row), onLoss), place, locate: () => place };
      }
    }
    groupStart = groupEnd;
  }
}

/** Refuses a file whose footer states more than can be in memory. */
function refuseGigantic(
  { row_groups: groups }: FileMetaData,
  { name, limits }: { readonly name: string; readonly limits: ParquetLimits | undefined },
): void {
  const refuse = (message: string, remedy: string) => {
    throw new TouchstoneError('dataset-unreadable', `${name}: ${message}`, { remedy });
  };
  const show = (number: number) => number.toLocaleString('en-US');
  const counts = groups.map(({ num_rows: count }) => Number(count));
  const largest = counts.reduce((most, count) => Math.max(most, count), 0);
  if (largest > mostRowsOfGroup)
    refuse(
      `a row group has ${show(largest)} rows, and at most ${show(mostRowsOfGroup)} are read at once`,
      'Write the file with smaller row groups (`row_group_size=100_000` in pyarrow), or as JSON Lines.',
    );
  if (limits === undefined) return;
  const rows = counts.reduce((sum, count) => sum + count, 0);
  const values = rows * (groups[0]?.columns.length ?? 0);
  if (rows > limits.rows || values > limits.values)
    refuse(
      `it has ${show(rows)} rows and ${show(values)} values, and at most ${show(limits.rows)} rows and ${show(limits.values)} values are imported`,
      'Import it in parts, or use the file as a dataset, which is read a part at a time.',
    );
}

/** Leaves out the number of a row that pandas writes as a column, as readers of its CSV do; a text in its place may name something. */
function withoutIndex(row: Record<string, unknown>): Record<string, unknown> {
  const { __index_level_0__: index, ...rest } = row;
  return typeof index === 'bigint' || Number.isInteger(index) ? rest : row;
}

interface OpenFile {
  readonly file: AsyncBuffer;
  readonly metadata: FileMetaData;
  readonly readObjects: (file: AsyncBuffer, from: number, to: number) => Promise<Record<string, unknown>[]>;
}

async function open({ name, bytes }: TextSource): Promise<OpenFile> {
  if (bytes === undefined) throw new Error('a binary format is read from the bytes of a file');
  const whole = Buffer.concat(await Array.fromAsync(bytes()));
  // Loaded only where a Parquet file is read.
  const { parquetMetadataAsync, parquetReadObjects } = await import('hyparquet');
  const file: AsyncBuffer = {
    byteLength: whole.length,
    slice: (start, end) => Uint8Array.from(whole.subarray(start, end)).buffer,
  };
  const explain = (error: unknown): TouchstoneError => {
    const problem = messageOf(error);
    const remedy = /compression codec/.test(problem)
      ? 'Write it with the compression snappy, gzip, brotli, zstd or none, or export it as JSON Lines.'
      : 'Fetch the file again if it may be cut short, or export it as JSON Lines.';
    const message = `${name}: this cannot be read as Parquet (${problem})`;
    return new TouchstoneError('dataset-unreadable', message, { remedy, cause: error });
  };
  try {
    const metadata = await parquetMetadataAsync(file);
    const readObjects = async (from_: AsyncBuffer, rowStart: number, rowEnd: number) => {
      try {
        return await parquetReadObjects({
          file: from_,
          metadata,
          compressors,
          rowStart,
          rowEnd,
          utf8: false,
        });
      } catch (error) {
        throw explain(error);
      }
    };
    return { file, metadata, readObjects };
  } catch (error) {
    throw explain(error);
  }
}

/** Returns a value as JSON has it: integers with all their digits, times in ISO 8601, and the size in place of bytes. */
function toJson(value: unknown, onLoss?: (loss: ParquetLoss) => void): unknown {
  if (typeof value === 'bigint') return exactNumberOf(value);
  if (typeof value === 'number') {
    if (Number.isFinite(value)) return value;
    onLoss?.('no number');
    return null;
  }
  if (value instanceof Date) return value.toISOString();
  if (value instanceof Uint8Array) {
    // Old writers do not say which columns are texts.
    const text = textIn(value);
    if (text === undefined) onLoss?.('bytes');
    return text ?? `[${value.length} bytes]`;
  }
  if (Array.isArray(value)) return value.map((part) => toJson(part, onLoss));
  if (!isContainer(value)) return value ?? null;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, toJson(part, onLoss)]));
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Returns bytes as a text; undefined for bytes that are none. */
function textIn(bytes: Uint8Array): string | undefined {
  try {
    const text = utf8.decode(bytes);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
