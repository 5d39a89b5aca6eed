import type { TextSource } from '../../../evaluate/datasets/dataset.ts';
import { type ParquetLoss, readParquet } from '../../../evaluate/datasets/parquet.ts';
import { xlsx } from '../../../evaluate/datasets/xlsx.ts';
import { TouchstoneError } from '../../../core/errors.ts';
import type { CellTable, RowTable } from './content.ts';
import { readZip } from './read-zip.ts';

/** The most bytes of the parts of a workbook together, unpacked. */
const mostUnpacked = 256 * 2 ** 20;

/** The most rows and values of a table that is imported, and the most characters of its rows as JSON: all of it is in memory. */
const mostOfTable = { rows: 2_000_000, values: 16_000_000 };
const mostCharacters = 512 * 2 ** 20;

/** Returns whether bytes begin as a zip archive, or are an empty one. */
export function isZip(bytes: Buffer): boolean {
  return bytes.length >= 4 && ['PK\u0003\u0004', 'PK\u0005\u0006'].includes(bytes.toString('latin1', 0, 4));
}

/**
 * Reads Parquet and the first sheet of an Excel workbook; undefined for bytes that are neither. Throws `import-invalid` for a
 * damaged or gigantic one, and `package-missing` without the package that reads workbooks.
 */
export async function readBinaryTable(
  bytes: Buffer,
  name: string,
): Promise<RowTable | CellTable | undefined> {
  const source = sourceOf(bytes, name);
  if (bytes.toString('latin1', 0, 4) === 'PAR1') return await asInvalid(readRows(source));
  if (!isZip(bytes)) return undefined;
  const entries = readZip(bytes);
  if (!entries.has('xl/workbook.xml')) return undefined;
  refuseGigantic(entries, name);
  return { ...(await asInvalid(readSheet(source))), otherSheets: sheetsIn(entries).slice(1) };
}

/** Returns the names of the sheets of a workbook. */
function sheetsIn(entries: ReadonlyMap<string, () => Uint8Array>): string[] {
  const workbook = new TextDecoder().decode(entries.get('xl/workbook.xml')?.());
  const names = workbook.matchAll(/<(?:\w+:)?sheet\s[^>]*?\bname="([^"]*)"/g);
  return Array.from(names, ([, name = '']) => name.replaceAll('&amp;', '&'));
}

function sourceOf(bytes: Buffer, name: string): TextSource {
  return {
    name,
    read: () => {
      throw new Error('a binary format is read from its bytes');
    },
    // biome-ignore lint/suspicious/useAwait: the interface reads files, too
    bytes: async function* () {
      yield bytes;
    },
  };
}

/** The package that reads workbooks unpacks them without a limit, so each part is unpacked with one first. */
function refuseGigantic(entries: ReadonlyMap<string, () => Uint8Array>, name: string): void {
  let unpacked = 0;
  for (const unpack of entries.values()) {
    unpacked += unpack().length;
    if (unpacked <= mostUnpacked) continue;
    const problem = `the workbook has more than ${mostUnpacked / 2 ** 20} MB when it is unpacked`;
    throw new TouchstoneError('import-invalid', `${name}: ${problem}.`);
  }
}

async function readRows(source: TextSource): Promise<RowTable> {
  const losses = new Map<ParquetLoss, number>();
  const onLoss = (loss: ParquetLoss) => losses.set(loss, (losses.get(loss) ?? 0) + 1);
  const rows: unknown[] = [];
  let characters = 0;
  for await (const { value } of readParquet(source, { onLoss, limits: mostOfTable })) {
    characters += JSON.stringify(value).length;
    if (characters > mostCharacters) {
      const problem = `the rows have more than ${mostCharacters / 2 ** 20} MB as text`;
      throw new TouchstoneError('import-invalid', `${source.name}: ${problem}.`, {
        remedy: 'Import it in parts.',
      });
    }
    rows.push(value);
  }
  return { form: 'jsonl', rows, losses };
}

async function readSheet(source: TextSource): Promise<CellTable> {
  const rows: Record<string, string>[] = [];
  for await (const { value, problem } of xlsx.read(source)) {
    if (problem !== undefined) {
      const { message, place, remedy } = problem;
      throw new TouchstoneError('import-invalid', `${source.name}:${place.line}: ${message}`, { remedy });
    }
    rows.push(value as Record<string, string>);
  }
  const header = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return { form: 'csv', header, rows: rows.map((row) => header.map((column) => row[column] ?? '')) };
}

async function asInvalid<Table>(reading: Promise<Table>): Promise<Table> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof TouchstoneError) || error.code === 'package-missing') throw error;
    const { message, remedy } = error;
    throw new TouchstoneError('import-invalid', message, { remedy, cause: error });
  }
}
