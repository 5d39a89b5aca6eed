import type { Json } from '../../../schema/json.ts';
import type { Column, ObjectColumn } from './column.ts';

/** How values are made: each by itself, or, for those who only read, alike ones as one object. */
export interface Making {
  readonly isShared?: boolean;
}

type Row = Record<string, Json>;

/** The values of one key. */
interface Source {
  readonly key: string;
  readonly values: readonly Json[];
  /** Whether there is one value, for all rows. */
  readonly isSame: boolean;
  next: number;
}

/** Makes the values that were taken apart. Keys whose columns are missing are left out. */
export function putTogether(column: Column, count: number, making: Making = {}): Json[] {
  if ('values' in column) return column.values;
  if (!('columns' in column)) return Array.from({ length: count }, () => column.same);
  if (making.isShared !== true || !isAlike(column)) return makeRows(column, count, making);
  const [row] = makeRows(column, 1, making);
  return Array.from({ length: count }, () => row as Json);
}

function makeRows({ kinds, kindOf, columns }: ObjectColumn, count: number, making: Making): Json[] {
  const counts = kinds.map((_, number) => kindOf?.filter((kind) => kind === number).length ?? count);
  const sources = new Map<string, Source>();
  for (const [key, column] of Object.entries(columns)) {
    const rows = counts.filter((_, number) => kinds[number]?.includes(key)).reduce((a, b) => a + b, 0);
    const isSame = 'same' in column || (making.isShared === true && isAlike(column));
    sources.set(key, { key, values: putTogether(column, isSame ? 1 : rows, making), isSame, next: 0 });
  }
  const makers = kinds.map((keys) =>
    keys === null ? () => null : createRowMaker(keys.flatMap((key) => sources.get(key) ?? [])),
  );
  const rows: Json[] = [];
  for (let index = 0; index < count; index += 1) rows.push(makers[kindOf?.[index] ?? 0]?.() ?? null);
  return rows;
}

/** Makes one row after the other. All but the first are copies of it with other values, which is faster than key by key. */
function createRowMaker(sources: readonly Source[]): () => Row {
  const varying = sources.filter(({ isSame }) => !isSame);
  let first: Row | undefined;
  return () => {
    const row: Row = first === undefined ? {} : { ...first };
    for (const source of first === undefined ? sources : varying) {
      row[source.key] = source.values[source.next] as Json;
      if (!source.isSame) source.next += 1;
    }
    first ??= row;
    return row;
  };
}

function isAlike(column: Column): boolean {
  if (!('columns' in column)) return 'same' in column;
  return column.kindOf === undefined && Object.values(column.columns).every(isAlike);
}
