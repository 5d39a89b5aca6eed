import { TouchstoneError } from '../../../core/errors.ts';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import { setMember } from '../../../core/lib/objects.ts';
import { asObject, type Fields, objectsIn } from '../values.ts';
import type { CellTable, ImportContent, NearbyFiles, RowTable } from './content.ts';
import { parseNearby } from './open-content.ts';
import { parsePythonLiteral } from '../../../core/lib/text/python-literal.ts';
import { parseJsonWithNaN } from './read-json-with-nan.ts';

/** The most characters that are read of all files of a folder. */
const mostCharacters = 512 * 2 ** 20;

/** The endings of the files of a folder that may hold rows. */
const endings = /\.(?:jsonl?|ndjson|csv|tsv)(?:\.gz)?$/i;

/**
 * Returns the rows of an export: the rows of a table, of JSON Lines, of a list, of the answer of an interface (`{"data": [...]}`),
 * or of all such files in a folder. A cell of a table that is JSON is read as such, and an empty one is null. Undefined for
 * anything else.
 */
export function rowsIn(content: ImportContent): readonly Fields[] | undefined {
  return content.form === 'folder' ? rowsOfFolder(content) : exportedRows(content);
}

/** A parsed file; a zip archive and a folder are no tables. */
type Parsed = ReturnType<typeof parseNearby> | ImportContent | RowTable | CellTable;

/**
 * Returns the rows of one table as they are: JSON Lines (a file of one line is JSON), a list in JSON, the columns of pandas, or
 * CSV, whose cells stay texts. Another object in JSON counts as one row. Undefined for anything else, also when one row is no object.
 */
export function rowsOf(content: Parsed): Fields[] | undefined {
  if (content.form === 'csv')
    return content.rows.map((cells) => rowOf(content.header, cells, (cell) => cell));
  const given =
    content.form === 'jsonl' ? content.rows : content.form === 'json' ? rowsInJson(content.value) : undefined;
  const objects = given?.map(asObject);
  return objects?.includes(undefined) === true ? undefined : (objects as Fields[] | undefined);
}

/** Returns the rows of a table with the JSON in its cells parsed, or the rows of the answer of an interface. */
function exportedRows(parsed: Parsed): readonly Fields[] | undefined {
  if (parsed.form === 'csv') return parsed.rows.map((cells) => rowOf(parsed.header, cells, parseCell));
  if (parsed.form === 'jsonl') {
    // Objects are texts in most tables of Parquet, as they are in CSV.
    const rows = objectsIn(parsed.rows);
    return 'losses' in parsed && parsed.losses !== undefined ? rows.map(parseMembers) : rows;
  }
  if (parsed.form !== 'json') return undefined;
  const data = asObject(parsed.value)?.data;
  return Array.isArray(data) ? objectsIn(data) : objectsIn(rowsInJson(parsed.value));
}

/** Returns the values of a list, the rows of a table that pandas wrote by its columns, or the one value. */
function rowsInJson(value: unknown): readonly unknown[] {
  const columns = Object.entries(asObject(value) ?? {});
  const [first] = columns;
  const places = Object.keys(asObject(first?.[1]) ?? {});
  const isTable = places.length > 0 && columns.every(([, cells]) => isColumn(cells, places));
  if (!isTable) return [value].flat();
  return places.map((place) => {
    const row: Record<string, unknown> = {};
    for (const [name, cells] of columns) setMember(row, name, asObject(cells)?.[place]);
    return row;
  });
}

/** Returns whether an object has a value for each number of a row, and no other. */
function isColumn(cells: unknown, places: readonly string[]): boolean {
  const given = Object.keys(asObject(cells) ?? {});
  return (
    given.length === places.length &&
    given.every((place, index) => /^\d+$/.test(place) && place === places[index])
  );
}

function parseMembers(row: Fields): Fields {
  const parsed: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(row))
    setMember(parsed, name, typeof value === 'string' ? parseCell(value) : value);
  return parsed;
}

function rowOf(header: readonly string[], cells: readonly string[], read: (cell: string) => unknown): Fields {
  const row: Record<string, unknown> = {};
  for (const [index, name] of header.entries()) setMember(row, name, read(cells[index] ?? ''));
  return row;
}

/** Returns what a cell of a table contains: JSON, else its text; an empty one is null. Some exports encode JSON twice. */
export function parseCell(cell: string): unknown {
  if (cell === '') return null;
  if (!/^\s*[[{"]/.test(cell)) return cell;
  try {
    const value: unknown = parseJson(cell);
    return typeof value === 'string' && /^\s*[[{]/.test(value) ? parseCell(value) : value;
  } catch {
    return cell;
  }
}

/** Returns the value of a cell that Python wrote: JSON or a literal, a number among them; else its text, an empty one is null. */
export function readCell(cell: unknown): unknown {
  if (typeof cell !== 'string') return cell;
  const text = cell.trim();
  if (text === '') return null;
  try {
    return parseJsonWithNaN(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const literal = parsePythonLiteral(text);
    return literal === undefined ? cell : literal.value;
  }
}

/** Returns a number, also one that is a text in a table; undefined for anything else. */
export function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Parses a file next to an imported one; undefined when it cannot be read, so that one bad file does not refuse a folder. */
export function parseIfReadable(
  files: NearbyFiles,
  name: string,
): ReturnType<typeof parseNearby> | undefined {
  try {
    return parseNearby(files.read(name), name.replace(/\.gz$/i, ''));
  } catch (error) {
    if (error instanceof TouchstoneError) return undefined;
    throw error;
  }
}

function rowsOfFolder({ names, files, name, tables }: Extract<ImportContent, { form: 'folder' }>): Fields[] {
  let characters = 0;
  const rows: Fields[] = [];
  for (const each of names.filter((file) => endings.test(file))) {
    const text = files.read(each);
    characters += text.length;
    if (characters > mostCharacters) {
      const problem = `the files of the folder have more than ${mostCharacters / 2 ** 20} MB in all`;
      throw new TouchstoneError('import-invalid', `${name}: ${problem}.`);
    }
    const parsed = parseIfReadable(files, each);
    for (const row of (parsed && exportedRows(parsed)) ?? []) rows.push(row);
  }
  for (const table of tables.values()) {
    if (table instanceof TouchstoneError) throw table;
    for (const row of exportedRows(table) ?? []) rows.push(row);
  }
  return rows;
}

/**
 * Merges rows of one id, since a folder may have the same rows in several forms. Of two values of a member the first that is
 * not empty counts. A row without an id is a group by itself.
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
