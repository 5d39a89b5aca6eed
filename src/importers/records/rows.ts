import { TouchstoneError } from '../../errors.ts';
import { setMember } from '../../lib/objects.ts';
import type { ImportContent } from '../content/content.ts';
import { parseNearby } from '../content/open-content.ts';
import { asObject, type Fields, objectsIn } from '../values.ts';

/** The most characters that are read of all files of a folder. */
const mostCharacters = 512 * 2 ** 20;

/** The endings of the files of a folder that may hold rows. */
const endings = /\.(?:jsonl?|ndjson|csv|tsv)(?:\.gz)?$/i;

/**
 * Returns the rows of an export: those of a table, of JSON Lines, of a list, of the answer of an interface (`{"data": [...]}`),
 * or of all such files in a folder. A cell of a table that is JSON is read as such, and an empty one is null. Undefined for
 * anything else.
 */
export function rowsIn(content: ImportContent): readonly Fields[] | undefined {
  if (content.form === 'folder') return rowsOfFolder(content);
  if (content.form === 'zip') return undefined;
  return rowsOf(content);
}

type Parsed =
  | { readonly form: 'json' | 'yaml'; readonly value: unknown }
  | { readonly form: 'jsonl'; readonly rows: readonly unknown[] }
  | {
      readonly form: 'csv';
      readonly header: readonly string[];
      readonly rows: readonly (readonly string[])[];
    };

function rowsOf(parsed: Parsed): Fields[] | undefined {
  if (parsed.form === 'csv') return parsed.rows.map((cells) => rowOf(parsed.header, cells));
  if (parsed.form === 'jsonl') return objectsIn(parsed.rows);
  if (parsed.form === 'yaml') return undefined;
  const { value } = parsed;
  if (Array.isArray(value)) return objectsIn(value);
  const object = asObject(value);
  if (object === undefined) return undefined;
  return Array.isArray(object.data) ? objectsIn(object.data) : [object];
}

function rowOf(header: readonly string[], cells: readonly string[]): Fields {
  const row: Record<string, unknown> = {};
  for (const [index, name] of header.entries()) setMember(row, name, parseCell(cells[index] ?? ''));
  return row;
}

/** Returns what a cell of a table contains. Some exports encode JSON twice. */
export function parseCell(cell: string): unknown {
  if (cell === '') return null;
  if (!/^\s*[[{"]/.test(cell)) return cell;
  try {
    const value: unknown = JSON.parse(cell);
    return typeof value === 'string' && /^\s*[[{]/.test(value) ? parseCell(value) : value;
  } catch {
    return cell;
  }
}

/** Returns a number, also one that is a text in a table; undefined for anything else. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function rowsOfFolder({ names, files, name }: Extract<ImportContent, { form: 'folder' }>): Fields[] {
  let characters = 0;
  const rows: Fields[] = [];
  for (const each of names.filter((file) => endings.test(file))) {
    const text = files.read(each);
    characters += text.length;
    if (characters > mostCharacters) {
      const problem = `the files of the folder have more than ${mostCharacters / 2 ** 20} MB in all`;
      throw new TouchstoneError('import-invalid', `${name}: ${problem}.`);
    }
    for (const row of rowsOf(parseNearby(text, each.replace(/\.gz$/i, ''))) ?? []) rows.push(row);
  }
  return rows;
}

/**
 * Merges rows of one id, since a folder may have the same rows in several forms. Of two values of a member the first that is
 * not empty counts. A row without an id stands alone.
 */
export function mergeRows(rows: readonly Fields[], idName = 'id'): Fields[] {
  const merged = new Map<unknown, Record<string, unknown>>();
  for (const [index, row] of rows.entries()) {
    const key = row[idName] === undefined || row[idName] === null ? index : String(row[idName]);
    const known = merged.get(key);
    if (known === undefined) merged.set(key, { ...row });
    else for (const [name, value] of Object.entries(row)) setMember(known, name, known[name] ?? value);
  }
  return [...merged.values()];
}
