import { planOrder } from '../../../core/lib/filter/parse-sort.ts';
import type { Filter, Sort } from '../../../core/lib/filter/filter.ts';
import type { CountedBy, TrialCursor } from '../../store.ts';
import { fieldOf } from '../../trial-counts.ts';
import type { RunOfTrials } from '../../../core/trials/trial-values.ts';
import { compileFilter } from './compile-filter.ts';
import { countedColumn } from './counted-column.ts';
import type { SqlDialect, SqlValue } from '../database.ts';
import type { OpenRun } from '../records.ts';
import { type ColumnTable, requireColumn, type SqlColumn, type SqlPart } from './trial-columns.ts';

/** The statements that read a list of trials in parts. Each row begins with the ordinal and the value of the order. */
export interface ListStatement {
  /** Returns the statement for the next trials that have a value in the order. */
  known(after: TrialCursor | undefined, size: number): SqlPart;
  /** Returns the statement for the next trials without such a value; undefined when all trials have one. */
  readonly unknown: ((after: number, size: number) => SqlPart) | undefined;
  /** The terms of the filter that the statements do not decide. */
  readonly rest: Filter;
}

/** The trials to list. */
export interface ListChoice {
  readonly dialect: SqlDialect;
  readonly run: RunOfTrials;
  readonly open: Pick<OpenRun, 'number' | 'trialsOf' | 'trialsPerCase'>;
  readonly where: Filter;
  readonly sort: Sort;
  /** The only places in the plan; all by default. */
  readonly ordinals?: readonly number[];
  /** The fields whose values follow in each row. */
  readonly columns?: readonly string[];
}

/** Builds the statements for a list of trials. */
export function listStatement(choice: ListChoice): ListStatement {
  const { dialect, run, where, sort, ordinals, columns = [] } = choice;
  const { where: conditions, tables, rest, isOfResult } = compileFilter(choice, where);
  const column = requireColumn(run, sort.field, dialect);
  const selected = columns.map((name) => requireColumn(run, name, dialect));
  const needed = new Set([...tables, column.table, ...selected.map(({ table }) => table)]);
  const places = ordinals === undefined ? undefined : JSON.stringify(ordinals);

  const build = (base: Base, further: readonly SqlPart[], order: string): SqlPart => {
    const within = places === undefined ? [] : [placesIn(base, places, dialect)];
    const parts = [
      { sql: `SELECT ${base.ordinal}, `, values: [] },
      joined([column, ...selected], ', '),
      base.from,
      joined([...conditions, ...within, ...further], ' AND ', ' AND '),
      { sql: ` ORDER BY ${order}`, values: [] },
    ];
    return { sql: parts.map(({ sql }) => sql).join(''), values: parts.flatMap(({ values }) => values) };
  };
  const limited = ({ sql, values }: SqlPart, size: number): SqlPart => {
    return { sql: `${sql} LIMIT ?`, values: [...values, size] };
  };
  // Only scored trials have a value in a column of scores.
  const withValue =
    column.table === 'scores' ? fromScores(choice, { needed, isOfResult }) : fromTrials(choice, needed);
  const isPlan = sort.field === planOrder.field;
  const direction = sort.isDescending ? 'DESC' : 'ASC';
  return {
    known: (after, size) => {
      const isKnown = isPlan ? [] : [{ sql: `${column.sql} IS NOT NULL`, values: column.values }];
      const place = after === undefined ? [] : [isAfter(after, { column, ordinal: withValue.ordinal, sort })];
      const order = isPlan ? `1 ${direction}` : `2 ${direction}, 1`;
      return limited(build(withValue, [...isKnown, ...place], order), size);
    },
    unknown: isPlan
      ? undefined
      : (after, size) => {
          const base = fromTrials(choice, needed);
          const isUnknown = { sql: `${column.sql} IS NULL`, values: column.values };
          const place = { sql: `${base.ordinal} > ?`, values: [after] };
          return limited(build(base, [isUnknown, place], '1'), size);
        },
    rest,
  };
}

/** The statement that counts trials by their values of some fields, as many places of the plan at a time as wanted. */
export interface CountStatement {
  /** Returns the statement for the places from `from` up to, but without, `to`: rows of a JSON list of values and a count. */
  between(from: number, to: number): SqlPart;
  /** The terms of the filter that the statement does not decide. */
  readonly rest: Filter;
}

/**
 * Builds the statement that counts trials.
 * @param choice.attempts - The number of neighbours in the plan that count as one: 1 to count trials.
 */
export function countStatement(
  choice: Omit<ListChoice, 'sort' | 'ordinals' | 'columns'> & {
    readonly by: readonly CountedBy[];
    readonly attempts: number;
  },
): CountStatement {
  const { dialect, run, where, by, attempts } = choice;
  const { where: conditions, tables, rest } = compileFilter(choice, where);
  const selected = by.map((one) => countedColumn(requireColumn(run, fieldOf(one), dialect), one));
  const { from, ordinal } = fromTrials(choice, new Set([...tables, ...selected.map(({ table }) => table)]));
  // Rows are sorted to be grouped, and by one column in place of several that takes a third less.
  const key = joined(selected, ', ');
  const counted =
    attempts === 1
      ? { sql: 'count(*)', values: [] }
      : { sql: `count(DISTINCT ${ordinal} - ${ordinal} % ?)`, values: [attempts] };
  return {
    between: (first, end) => {
      const within = { sql: `${ordinal} >= ? AND ${ordinal} < ?`, values: [first, end] };
      const parts = [
        { sql: `SELECT ${dialect.jsonList(key.sql)}, `, values: key.values },
        counted,
        from,
        joined([...conditions, within], ' AND ', ' AND '),
        { sql: ' GROUP BY 1', values: [] },
      ];
      return { sql: parts.map(({ sql }) => sql).join(''), values: parts.flatMap(({ values }) => values) };
    },
    rest,
  };
}

function joined(parts: readonly SqlPart[], between: string, before = ''): SqlPart {
  const sql = parts.map((part) => part.sql).join(between);
  return { sql: sql === '' ? '' : `${before}${sql}`, values: parts.flatMap(({ values }) => values) };
}

/** The tables that a statement reads, with the conditions that join them. */
interface Base {
  readonly from: SqlPart;
  /** The column with the place in the plan. */
  readonly ordinal: string;
}

/** Joins the cases last: if SQLite read them first, it would look up the scores and trials of each of them by all others. */
function joinCases({ columnsOf, joinInOrder }: SqlDialect, on: string): string {
  return ` ${joinInOrder} ${columnsOf('cases')} ON ${on}`;
}

const caseOfTrial = 'cases.run = trials.run AND cases.position = trials.position';

function fromTrials(
  { dialect, open }: Pick<ListChoice, 'dialect' | 'open'>,
  needed: ReadonlySet<ColumnTable>,
): Base {
  const values: SqlValue[] = [];
  let sql = ` FROM ${dialect.columnsOf('trials')}`;
  if (needed.has('scores') || needed.has('results')) {
    sql += ` LEFT JOIN ${dialect.columnsOf('scores')} ON scores.run = ? AND scores.ordinal = trials.ordinal`;
    values.push(open.number);
  }
  if (needed.has('cases')) sql += joinCases(dialect, caseOfTrial);
  return {
    from: { sql: `${sql} WHERE trials.run = ?`, values: [...values, open.trialsOf] },
    ordinal: 'trials.ordinal',
  };
}

function fromScores(
  { dialect, open, sort }: ListChoice,
  { needed, isOfResult }: { readonly needed: ReadonlySet<ColumnTable>; readonly isOfResult: boolean },
): Base {
  const values: SqlValue[] = [];
  const hasTrials = needed.has('trials') || needed.has('results');
  const isAlone = !hasTrials && !needed.has('cases');
  // The index of results has few columns, and another order than the tables that are joined.
  const isByResult = sort.field === 'total' && (isAlone || isOfResult);
  let sql = ` FROM ${isByResult ? 'scores' : dialect.columnsOf('scores')}`;
  if (hasTrials) {
    sql += ` JOIN ${dialect.columnsOf('trials')} ON trials.run = ? AND trials.ordinal = scores.ordinal`;
    values.push(open.trialsOf);
  }
  if (needed.has('cases') && hasTrials) sql += joinCases(dialect, caseOfTrial);
  else if (needed.has('cases')) {
    sql += joinCases(dialect, 'cases.run = ? AND cases.position = scores.ordinal / CAST(? AS INTEGER)');
    values.push(open.trialsOf, open.trialsPerCase);
  }
  return {
    from: { sql: `${sql} WHERE scores.run = ?`, values: [...values, open.number] },
    ordinal: 'scores.ordinal',
  };
}

function placesIn({ ordinal }: Base, places: string, { numbersIn }: SqlDialect): SqlPart {
  return { sql: `${ordinal} IN (${numbersIn('?')})`, values: [places] };
}

/** The column of an order and the column with the place in the plan. */
interface OrderColumns {
  readonly column: SqlColumn;
  readonly ordinal: string;
  readonly sort: Sort;
}

/** Returns the condition that a trial comes after a place in the order. */
function isAfter(place: TrialCursor, { column: { sql, values }, ordinal, sort }: OrderColumns): SqlPart {
  const { value } = place;
  if (sort.field === planOrder.field) {
    return { sql: `${ordinal} ${sort.isDescending ? '<' : '>'} ?`, values: [place.ordinal] };
  }
  if (!sort.isDescending) {
    return { sql: `(${sql}, ${ordinal}) > (?, ?)`, values: [...values, value, place.ordinal] };
  }
  return {
    sql: `${sql} <= ? AND (${sql} < ? OR ${ordinal} > ?)`,
    values: [...values, value, ...values, value, place.ordinal],
  };
}
