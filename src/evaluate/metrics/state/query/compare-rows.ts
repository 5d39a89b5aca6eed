import { canonicalJson } from '../../../../core/lib/content-hash.ts';
import { isContainer } from '../../../../core/lib/json/is-container.ts';
import type { Json } from '../../../../core/schema/json.ts';
import { matcherName } from '../../../../core/schema/matcher.ts';
import { assign } from '../../matching/assign.ts';
import { compileMatcher, type Matcher } from '../../matching/compile-matcher.ts';
import { isRecord, formatValue } from '../../matching/expectation.ts';
import { describeMismatch } from '../expected-state.ts';

/** The rows that a query returns. */
export interface ResultRows {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Json[])[];
}

/** The rules by which rows are compared. */
export interface RowOptions {
  readonly ordered: boolean;
  readonly tolerance: number;
}

/**
 * Returns one clause for each difference between the rows of a query and the expected ones; an empty list when there is
 * none. Expected is a list of rows (objects by column, lists in the order of the columns, or the values of a single
 * column) or the value of a single row and column. Throws `TouchstoneError` for a matcher that cannot be used.
 */
export function compareRows(
  actual: ResultRows,
  expected: Json,
  { ordered, tolerance }: RowOptions,
): string[] {
  const wanted = Array.isArray(expected) ? expected : [expected];
  const shape = wanted.some(isObjectRow) ? 'objects' : wanted.some(Array.isArray) ? 'lists' : 'values';
  if (shape === 'values' && wanted.length > 0 && actual.columns.length !== 1) {
    return [`the query returns ${actual.columns.length} columns, but one was expected`];
  }
  const rows = actual.rows.map((row) => shapeRow(row, actual.columns, shape));
  const matchers = wanted.map((row) => compileMatcher(asStored(row), { mode: 'exact', tolerance }));
  if (ordered) return compareInOrder(rows, matchers);
  const isPlain = tolerance === 0 && wanted.every(isLiteral);
  return isPlain ? countRows(rows, wanted.map(asStored)) : pairRows(rows, wanted, matchers);
}

function isObjectRow(row: Json): boolean {
  return isRecord(row) && matcherName(row) === undefined;
}

function isLiteral(value: Json): boolean {
  if (!isContainer(value)) return true;
  if (!Array.isArray(value) && matcherName(value) !== undefined) return false;
  return Object.values(value).every(isLiteral);
}

function shapeRow(
  row: readonly Json[],
  columns: readonly string[],
  shape: 'objects' | 'lists' | 'values',
): Json {
  if (shape === 'values' && row.length === 1) return row[0] ?? null;
  return shape !== 'objects'
    ? [...row]
    : Object.fromEntries(columns.map((column, index) => [column, row[index] ?? null]));
}

/** Converts a row to its stored form: SQLite stores true and false as 1 and 0. */
function asStored(row: Json): Json {
  if (typeof row === 'boolean') return Number(row);
  if (Array.isArray(row)) return row.map(asStored);
  if (!isRecord(row) || matcherName(row) !== undefined) return row;
  return Object.fromEntries(Object.entries(row).map(([key, value]) => [key, asStored(value)]));
}

function compareInOrder(rows: readonly Json[], matchers: readonly Matcher[]): string[] {
  const counted = rows.length === matchers.length ? [] : [describeCount(rows.length, matchers.length)];
  const wrong = matchers.slice(0, rows.length).flatMap((matcher, index) =>
    matcher.match(rows[index]).map(({ path, ...rest }) => {
      const inside = path === '' || path.startsWith('[') ? path : `.${path}`;
      return describeMismatch({ ...rest, path: `row ${index + 1}${inside}` });
    }),
  );
  return [...counted, ...wrong];
}

function describeCount(actual: number, expected: number): string {
  return `the query returns ${actual} ${actual === 1 ? 'row' : 'rows'}, not ${expected}`;
}

/** Compares rows without order by their number of occurrences. */
function countRows(rows: readonly Json[], wanted: readonly Json[]): string[] {
  const open = new Map<string, number>();
  for (const row of wanted) open.set(canonicalJson(row), (open.get(canonicalJson(row)) ?? 0) + 1);
  const extra = rows.filter((row) => {
    const left = open.get(canonicalJson(row)) ?? 0;
    open.set(canonicalJson(row), left - 1);
    return left <= 0;
  });
  const missing = wanted.filter((row) => {
    const left = open.get(canonicalJson(row)) ?? 0;
    open.set(canonicalJson(row), left - 1);
    return left > 0;
  });
  return describeRows(missing, extra);
}

function pairRows(rows: readonly Json[], wanted: readonly Json[], matchers: readonly Matcher[]): string[] {
  const columnOf = assign(
    matchers.map((matcher) => rows.map((row) => Number(matcher.match(row).length === 0))),
  );
  const paired = new Set(columnOf);
  const missing = wanted.filter((_, index) => columnOf[index] === null);
  return describeRows(
    rows.length === 0 ? wanted : missing,
    rows.filter((_, index) => !paired.has(index)),
  );
}

function describeRows(missing: readonly Json[], extra: readonly Json[]): string[] {
  return [
    ...missing.map((row) => `the row ${formatValue(row)} is missing`),
    ...extra.map((row) => `the row ${formatValue(row)} was not expected`),
  ];
}
