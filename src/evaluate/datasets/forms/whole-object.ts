import type { Place } from '../../../core/errors.ts';
import type { DatasetRow } from '../dataset.ts';
import { createFieldMapping } from '../field-mapping.ts';
import { type Fields, isFields } from '../fields.ts';
import { wrapperKeys } from '../json/wrapper-key.ts';

/** A row found in a file that is one object, with the place of each of its columns in that object. */
export interface FoundRow {
  readonly value: unknown;
  /** Returns the path in the object of a path in the row. */
  pathOf(path: readonly PropertyKey[]): readonly PropertyKey[];
}

/** Returns a row of a dataset for one that was found in an object. */
export function toRow(
  { value, pathOf }: FoundRow,
  locate: (path: readonly PropertyKey[]) => Place,
): DatasetRow {
  return { value, place: locate(pathOf([])), locate: (path) => locate(pathOf(path)) };
}

const mapping = createFieldMapping();

function isQuestion(name: string): boolean {
  return mapping.fieldOf(name) === 'input';
}

/** Returns whether a value has a question under a usual name. */
export function holdsQuestion(value: unknown): boolean {
  return isFields(value) && Object.keys(value).some(isQuestion);
}

/**
 * Returns the rows of an object that has no list of cases under a usual name: a single case; an object from id to case; lists
 * of cases by category; or a table as pandas writes it, by columns (`orient='columns'`, a dictionary of lists) or split into
 * names and rows (`orient='split'`). Undefined for any other object.
 */
export function rowsOfObject(value: Fields): FoundRow[] | undefined {
  return (
    rowsOfSplit(value) ??
    rowsOfColumns(value) ??
    rowsOfCase(value) ??
    rowsByKey(value) ??
    rowsByCategory(value) ??
    rowsInside(value)
  );
}

/** Reads `{ cases: { 'id-1': { … }, 'id-2': { … } } }`, besides which there may be anything that is no case. */
function rowsInside(value: Fields): FoundRow[] | undefined {
  const found = Object.entries(value).flatMap(([name, inner]) => {
    const rows = isFields(inner) ? rowsByKey(inner) : undefined;
    return rows === undefined ? [] : [{ name, rows }];
  });
  const [only, ...others] = found;
  if (only === undefined || others.length > 0) return undefined;
  return only.rows.map((row) => ({ ...row, pathOf: (path) => [only.name, ...row.pathOf(path)] }));
}

function rowsOfCase(value: Fields): FoundRow[] | undefined {
  return holdsQuestion(value) ? [{ value, pathOf: (path) => path }] : undefined;
}

/** Reads `{ columns: […], index: […], data: [[…], …] }`. */
function rowsOfSplit({ columns, data }: Fields): FoundRow[] | undefined {
  if (!Array.isArray(columns) || !Array.isArray(data) || !data.every(Array.isArray)) return undefined;
  const names = columns.map(String);
  return data.map((cells: readonly unknown[], row) => ({
    value: Object.fromEntries(names.map((name, index) => [name, cells[index] ?? null])),
    pathOf: ([name = '', ...path]) => ['data', row, Math.max(0, names.indexOf(String(name))), ...path],
  }));
}

/** Reads `{ question: { 0: …, 1: … }, answer: { 0: …, 1: … } }`, and lists in place of the inner objects. */
function rowsOfColumns(value: Fields): FoundRow[] | undefined {
  const names = Object.keys(value);
  if (!names.some(isQuestion)) return undefined;
  const columns = Object.values(value);
  const isTable =
    columns.every((column) => isFields(column) && !Object.keys(column).some(isNoIndex)) ||
    columns.every((column) => Array.isArray(column) && !isMessages(column));
  const keys = Object.keys(columns[0] ?? {});
  const isEven = columns.every((column) => Object.keys(column as object).length === keys.length);
  if (!isTable || !isEven || keys.length === 0) return undefined;
  return keys.map((key) => ({
    value: Object.fromEntries(names.map((name) => [name, (value[name] as Fields)[key] ?? null])),
    pathOf: ([name = '', ...path]) => [name, key, ...path],
  }));
}

function isNoIndex(key: string): boolean {
  return !/^\d+$/.test(key);
}

function isMessages(list: readonly unknown[]): boolean {
  return list.some((item) => isFields(item) && (item['role'] ?? item['from']) !== undefined);
}

/** Reads an object from id, or from the number of a row, to case. */
function rowsByKey(value: Fields): FoundRow[] | undefined {
  const entries = Object.entries(value);
  if (entries.length === 0 || !entries.every(([, inner]) => holdsQuestion(inner))) return undefined;
  const isNumbered = entries.every(([key], index) => key === String(index));
  return entries.map(([key, inner]) => ({
    value: isNumbered ? inner : { id: key, ...(inner as Fields) },
    pathOf: (path) => [key, ...path],
  }));
}

/** Reads lists of cases by category, besides which there may be anything that is no list of cases. */
function rowsByCategory(value: Fields): FoundRow[] | undefined {
  const lists = Object.entries(value).filter(
    (entry): entry is [string, Fields[]] =>
      Array.isArray(entry[1]) && entry[1].length > 0 && entry[1].every(holdsQuestion),
  );
  if (lists.length === 0) return undefined;
  const isAlone = lists.length === 1;
  return lists.flatMap(([category, list]) =>
    list.map((each, index) => ({
      value: isAlone || each['category'] !== undefined ? each : { ...each, category },
      pathOf: (path: readonly PropertyKey[]) => [category, index, ...path],
    })),
  );
}

/**
 * Returns the names that lead to the list of cases: one of the usual names, or one of them in an object that is the only one of
 * its kind, as in `{ data: { examples: […] } }`. Undefined when there is none, or more than one.
 */
export function pathToCases(value: unknown): readonly string[] | undefined {
  const [key, ...others] = wrapperKeys(value);
  if (key !== undefined) return others.length === 0 ? [key] : undefined;
  if (!isFields(value)) return undefined;
  const inner = Object.entries(value).flatMap(([name, each]) => {
    const keys = wrapperKeys(each);
    return keys.length === 1 ? [[name, keys[0] ?? '']] : [];
  });
  return inner.length === 1 ? inner[0] : undefined;
}
