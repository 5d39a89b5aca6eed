import type { Json } from '../../../schema/json.ts';
import type { Column, Keys, ObjectColumn } from './column.ts';
import { takeColumns } from './column-taker.ts';

/** Objects of more kinds than this, or with more keys, stay whole: taken apart they would be longer. */
const mostKinds = 16;
const mostKeys = 64;

type Row = Readonly<Record<string, Json | undefined>> | null;

interface Kind {
  readonly number: number;
  readonly keys: Keys;
  /** Where the values of each key go. */
  readonly columns: readonly Json[][];
}

/** Takes values apart into columns, from which `putTogether` makes what `JSON.parse` would make of their JSON. */
export function takeApart(values: readonly unknown[]): Column {
  const [first] = values;
  const isPrimitive = typeof first !== 'object' || first === null;
  if (isPrimitive && values.every((value) => value === first)) return { same: first as Json };
  return takeAlikeApart(values) ?? takeRowsApart(values) ?? { values: values as Json[] };
}

/** Of rows that all have the same keys: the most frequent case, and in this way at less cost. Undefined when they have not. */
function takeAlikeApart(values: readonly unknown[]): ObjectColumn | undefined {
  const [first] = values;
  if (!isRow(first) || first === null) return undefined;
  const keys = Object.keys(first);
  if (keys.length > mostKeys || keys.includes('__proto__')) return undefined;
  if (!values.every((value) => isRow(value) && value !== null)) return undefined;
  const taken = takeColumns(values, keys);
  if (taken === undefined) return undefined;
  const columns: Record<string, Column> = {};
  for (const [index, column] of taken.entries()) {
    if (!column.includes(undefined)) columns[keys[index] as string] = takeApart(column);
    else if (column.some((value) => value !== undefined)) return undefined;
  }
  return { kinds: [Object.keys(columns)], columns };
}

/** Undefined when not all are objects, or when they have little in common. */
function takeRowsApart(values: readonly unknown[]): ObjectColumn | undefined {
  const kinds: Kind[] = [];
  const kindOf: number[] = [];
  const columns = new Map<string, Json[]>();
  let kind: Kind | undefined;
  for (const value of values) {
    if (!isRow(value)) return undefined;
    if (kind === undefined || !addRow(value, kind)) {
      kind = kinds.find((known) => addRow(value, known)) ?? createKind(value, kinds.length, columns);
      if (kind === undefined) return undefined;
      kinds[kind.number] = kind;
    }
    kindOf.push(kind.number);
  }
  const column = {
    kinds: kinds.map(({ keys }) => keys),
    columns: Object.fromEntries(Array.from(columns, ([key, all]) => [key, takeApart(all)])),
  };
  return kinds.length === 1 ? column : { ...column, kindOf };
}

/** Adds the first row of a kind. Undefined when there are too many already, or when it cannot be made again key by key. */
function createKind(row: Row, number: number, columns: Map<string, Json[]>): Kind | undefined {
  if (row === null) return { number, keys: null, columns: [] };
  const keys = Object.keys(row).filter((key) => row[key] !== undefined);
  for (const key of keys) columns.set(key, columns.get(key) ?? []);
  if (number === mostKinds || columns.size > mostKeys || keys.includes('__proto__')) return undefined;
  const kind = { number, keys, columns: keys.map((key) => columns.get(key) as Json[]) };
  addRow(row, kind);
  return kind;
}

/** Adds a row to the columns of a kind; false, and nothing is added, when it is of another kind. */
function addRow(row: Row, { keys, columns }: Kind): boolean {
  if (row === null || keys === null) return row === keys;
  let added = 0;
  // Every value of every record passes here: added as it is seen, and taken back should the row turn out to be another kind.
  for (const key in row) {
    const value = row[key];
    if (value === undefined) continue;
    if (keys[added] !== key) return takeBack(added, columns);
    columns[added]?.push(value);
    added += 1;
  }
  return added === keys.length || takeBack(added, columns);
}

function takeBack(added: number, columns: readonly Json[][]): false {
  for (const column of columns.slice(0, added)) column.pop();
  return false;
}

/** Whether it is null or a plain object: no array, and nothing that JSON turns into something else, such as a date. */
function isRow(value: unknown): value is Row {
  return value === null || (typeof value === 'object' && Object.getPrototypeOf(value) === Object.prototype);
}
