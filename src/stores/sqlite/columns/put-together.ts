import type { Json } from '../../../schema/json.ts';
import type { Column, Keys, ObjectColumn } from './column.ts';
import { makeAlikeRows, type Source } from './row-maker.ts';

/** How values are made: each by itself, or, for those who only read, alike ones as one object. */
export interface Making {
  readonly isShared?: boolean;
}

/** Makes the values that were taken apart. Keys whose columns are missing are left out. */
export function putTogether(column: Column, count: number, making: Making = {}): Json[] {
  if ('values' in column) return column.values;
  if (!('columns' in column)) return repeat(column.same, count);
  if (making.isShared !== true || !isAlike(column)) return makeRows(column, count, making);
  const [row = null] = makeRows(column, 1, making);
  return repeat(row, count);
}

function makeRows({ kinds, kindOf, columns }: ObjectColumn, count: number, making: Making): Json[] {
  if (kindOf !== undefined) return makeMixedRows({ kinds, kindOf, columns }, making);
  return makeKind(kinds[0] ?? null, count, (key) => {
    const column = Object.hasOwn(columns, key) ? columns[key] : undefined;
    return column && makeSource(column, count, making);
  });
}

/** Rows of several kinds: those of each kind at once, which then take their places among each other. */
function makeMixedRows({ kinds, kindOf, columns }: Required<ObjectColumn>, making: Making): Json[] {
  const counts = kinds.map((_, number) => kindOf.filter((kind) => kind === number).length);
  const divided = new Map(
    Object.entries(columns).map(([key, column]) => {
      const hasKey = kinds.map((keys) => keys?.includes(key) === true);
      const count = counts.reduce((sum, rows, number) => sum + (hasKey[number] === true ? rows : 0), 0);
      return [key, divide(makeSource(column, count, making), kindOf, hasKey)];
    }),
  );
  const rows = kinds.map((keys, number) =>
    makeKind(keys, counts[number] ?? 0, (key) => divided.get(key)?.[number]),
  );
  const next = kinds.map(() => 0);
  return kindOf.map((kind) => {
    const index = next[kind] ?? 0;
    next[kind] = index + 1;
    return rows[kind]?.[index] ?? null;
  });
}

type Values = Omit<Source, 'key'>;

function makeSource(column: Column, count: number, making: Making): Values {
  const isSame = 'same' in column || (making.isShared === true && isAlike(column));
  return { values: putTogether(column, isSame ? 1 : count, making), isSame };
}

/** The values of a key by the kinds of the rows that they belong to. */
function divide(source: Values, kindOf: readonly number[], hasKey: readonly boolean[]): Values[] {
  if (source.isSame) return hasKey.map(() => source);
  const parts = hasKey.map((): Json[] => []);
  let next = 0;
  for (const kind of kindOf) {
    if (hasKey[kind] !== true) continue;
    parts[kind]?.push(source.values[next] as Json);
    next += 1;
  }
  return parts.map((values) => ({ values, isSame: false }));
}

function makeKind(keys: Keys, count: number, valuesOf: (key: string) => Values | undefined): Json[] {
  if (keys === null) return repeat(null, count);
  return makeAlikeRows(
    count,
    keys.flatMap((key) => {
      const values = valuesOf(key);
      return values === undefined ? [] : [{ key, ...values }];
    }),
  );
}

function isAlike(column: Column): boolean {
  if (!('columns' in column)) return 'same' in column;
  return column.kindOf === undefined && Object.values(column.columns).every(isAlike);
}

function repeat(value: Json, count: number): Json[] {
  return Array.from<Json>({ length: count }).fill(value);
}
