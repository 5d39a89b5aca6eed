import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { AsyncBuffer, Compressors, FileMetaData } from 'hyparquet';
import { messageOf, type Place, TouchstoneError } from '../../core/errors.ts';
import { exactNumberOf } from '../../core/lib/json/exact-number.ts';
import { isContainer } from '../../core/lib/json/is-container.ts';
import type { DatasetReader, DatasetRow, TextSource } from './dataset.ts';

/** The rows that are read at a time. */
const rowsAtOnce = 1_000;

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

/** Reads the rows, and calls a function for each value that is lost. */
export async function* readParquet(
  source: TextSource,
  onLoss?: (loss: ParquetLoss) => void,
): AsyncGenerator<DatasetRow> {
  const { file, metadata, readObjects } = await open(source);
  const rows = Number(metadata.num_rows);
  for (let from = 0; from < rows; from += rowsAtOnce) {
    const to = Math.min(rows, from + rowsAtOnce);
    for (const [index, row] of (await readObjects(file, from, to)).entries()) {
      const place: Place = { file: source.name, line: from + index + 1, column: 1 };
      yield { value: toJson(withoutIndex(row), onLoss), place, locate: () => place };
    }
  }
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
