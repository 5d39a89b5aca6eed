import type { CountedBy } from '../../store.ts';
import { decades } from '../../trial-counts.ts';
import type { SqlColumn, SqlPart } from './trial-columns.ts';

/** Returns the expression for what trials are counted by: the value of a column, the part of a range, or a rounded number. */
export function countedColumn(column: SqlColumn, by: CountedBy): SqlColumn {
  if (typeof by === 'string') return column;
  return 'digits' in by ? roundedDown(column) : partOf(column, by.parts);
}

/** Returns the part of a range that a value is in, as a text. */
function partOf({ table, sql, values }: SqlColumn, parts: number): SqlColumn {
  // A value is compared with the middle of the parts it can be in, which takes a quarter of a comparison with each end.
  const within = (first: number, end: number): SqlPart => {
    if (end - first === 1) return { sql: `'${first}'`, values: [] };
    const middle = Math.floor((first + end) / 2);
    const [lower, upper] = [within(first, middle), within(middle, end)];
    return {
      sql: `CASE WHEN ${sql} < CAST(? AS DOUBLE PRECISION) THEN ${lower.sql} ELSE ${upper.sql} END`,
      values: [...values, middle / parts, ...lower.values, ...upper.values],
    };
  };
  const known = within(0, parts);
  return {
    table,
    sql: `CASE WHEN ${sql} IS NULL THEN NULL ELSE ${known.sql} END`,
    values: [...values, ...known.values],
  };
}

/** Returns a number rounded down to three significant digits, with the steps of the same in memory. */
function roundedDown({ table, sql, values }: SqlColumn): SqlColumn {
  const cases = decades.toReversed().map(({ from, unit, isBelowOne }) => {
    const [into, back] = isBelowOne ? ['*', '/'] : ['/', '*'];
    return {
      from,
      unit,
      rounded: `floor(${sql} ${into} CAST(? AS DOUBLE PRECISION)) ${back} CAST(? AS DOUBLE PRECISION)`,
    };
  });
  const whens = cases
    .map(({ rounded }) => `WHEN ${sql} >= CAST(? AS DOUBLE PRECISION) THEN ${rounded}`)
    .join(' ');
  return {
    table,
    sql: `CASE WHEN ${sql} IS NULL THEN NULL ${whens} ELSE 0 END`,
    values: [...values, ...cases.flatMap(({ from, unit }) => [...values, from, ...values, unit, unit])],
  };
}
