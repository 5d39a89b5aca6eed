import type { CaseRule } from '../../../core/schema/expected.ts';
import { findFixedField, isTraitField, metricOf } from '../../../core/lib/filter/fields.ts';
import {
  type Filter,
  type FilterTerm,
  type Side,
  type Sort,
  sides,
} from '../../../core/lib/filter/filter.ts';
import { planOrder } from '../../../core/lib/filter/parse-sort.ts';
import type { TrialCursor } from '../../store.ts';
import type { SqlDialect } from '../database.ts';
import { anyOf, compileFilter, isOneOf, matcherOf, numberCondition, unless } from './compile-filter.ts';
import type { SelectedRun } from './select-trials.ts';
import { requireColumn, type SqlPart } from './trial-columns.ts';

/** A column of a matrix whose run is open. */
export interface OpenColumn extends SelectedRun {
  readonly target: string;
  /** True when its plan is the plan of the first column: then cases have the same positions in both. */
  readonly isSamePlan: boolean;
}

/** The rows of a matrix to read. */
export interface MatrixChoice {
  readonly dialect: SqlDialect;
  readonly columns: readonly OpenColumn[];
  readonly where: Filter;
  readonly sort: Sort;
}

/** The statements that read the rows of a matrix, a range of the plan of the first column at a time. */
export interface MatrixStatement {
  /**
   * Returns the statement for the first rows of the order in a range, those after a place: the positions, then the results,
   * then the value of the order.
   */
  rows(range: Range, after: TrialCursor | undefined, size: number | undefined): SqlPart;
  /** Returns the statement that counts the rows of a range by their results. */
  counts(range: Range): SqlPart;
  /** The terms of the filter that the statements do not decide. */
  readonly rest: Filter;
}

/** The first position of a range, and the one after its last. */
export type Range = readonly [from: number, end: number];

const part = (sql: string, values: SqlPart['values'] = []): SqlPart => ({ sql, values });

/** Builds the statements: one join of the cases of all columns by content, with the results of each column. */
export function matrixStatement(choice: MatrixChoice): MatrixStatement {
  const { columns, sort } = choice;
  const { within, outside, rest } = compileTerms(choice);
  const hasTotals = [...choice.where, sort].some(({ field }) => isOfTotals(field));
  const names = columns.flatMap((_, at) => [`p${at}`]);
  const results = columns.map((_, at) => `r${at}`);
  const matrix = (range: Range): SqlPart =>
    joined([
      part('WITH matrix AS MATERIALIZED (SELECT '),
      joined(
        [
          ...columns.map((column, at) => part(`${positionIn(column.isSamePlan, at)} AS p${at}`)),
          ...columns.map((column, at) => part(`${resultIn(choice, at)} AS r${at}`)),
          ...(hasTotals
            ? columns.map((_, at) => part(`(${meanIn(choice, at, 'total').sql}) AS t${at}`))
            : []),
          ...orderIn(choice),
        ],
        ', ',
      ),
      casesOf(choice),
      joined([part('cases.position >= ? AND cases.position < ?', range), ...within], ' AND ', ' AND '),
      part(')'),
    ]);
  return {
    rows: (range, after, size) => {
      const places = after === undefined ? [] : [isAfter(after, sort, columns.length)];
      return joined([
        matrix(range),
        part(` SELECT ${[...names, ...results, valueOf(sort, columns.length)].join(', ')} FROM matrix`),
        joined([...outside, ...places], ' AND ', ' WHERE '),
        part(` ORDER BY ${orderOf(sort, columns.length)}`),
        ...(size === undefined ? [] : [part(' LIMIT ?', [size])]),
      ]);
    },
    counts: (range) =>
      joined([
        matrix(range),
        part(` SELECT ${results.join(', ')}, count(*) FROM matrix`),
        joined(outside, ' AND ', ' WHERE '),
        part(` GROUP BY ${results.join(', ')}`),
      ]),
    rest,
  };
}

function joined(parts: readonly SqlPart[], between = '', before = ''): SqlPart {
  const sql = parts.map((each) => each.sql).join(between);
  return part(
    sql === '' ? '' : `${before}${sql}`,
    parts.flatMap(({ values }) => values),
  );
}

/** Returns the tables of the cases of all columns, joined by content, up to the condition of the first one. */
function casesOf({ columns }: MatrixChoice): SqlPart {
  const others = columns.flatMap(({ isSamePlan, open }, at) =>
    isSamePlan
      ? []
      : [` JOIN cases AS cases${at} ON cases${at}.run = ${open.trialsOf} AND cases${at}.hash = cases.hash`],
  );
  return part(` FROM cases${others.join('')} WHERE cases.run = ?`, [columns[0]?.open.trialsOf ?? null]);
}

function positionIn(isSamePlan: boolean, at: number): string {
  return isSamePlan ? 'cases.position' : `cases${at}.position`;
}

/** Returns the attempts of a column at the case of a row, with their scores where they have any. */
function attemptsIn({ dialect, columns }: MatrixChoice, at: number): string {
  const { run, open, target, isSamePlan } = columns[at] as OpenColumn;
  const { attempts, targets } = run;
  const index = targets.findIndex(({ name }) => name === target);
  const first = `${positionIn(isSamePlan, at)} * ${open.trialsPerCase} + ${index * attempts}`;
  const places =
    attempts === 1
      ? `trials.ordinal = ${first}`
      : `trials.ordinal >= ${first} AND trials.ordinal < ${first} + ${attempts}`;
  return `FROM ${dialect.columnsOf('trials')} LEFT JOIN ${dialect.columnsOf('scores')}
    ON scores.run = ${open.number} AND scores.ordinal = trials.ordinal WHERE trials.run = ${open.trialsOf} AND ${places}`;
}

/** Returns the result of a cell: the result of all attempts together, as `mergeOutcomes` has it. */
function resultIn(choice: MatrixChoice, at: number): string {
  const { run } = choice.columns[at] as OpenColumn;
  const { sql } = requireColumn(run, 'result', choice.dialect);
  if (run.attempts === 1) return `(SELECT ${sql} ${attemptsIn(choice, at)})`;
  const attempts = `SELECT ${sql} AS result, trials.ordinal AS place ${attemptsIn(choice, at)}`;
  return `(SELECT ${mergedResult(run)} FROM (${attempts}) AS tried)`;
}

/** The place and the kind of the first attempt that neither passed nor failed. */
const firstUndecided = `min(CASE tried.result WHEN 'error' THEN tried.place * 4 + 1
  WHEN 'not-measured' THEN tried.place * 4 + 2 WHEN 'unscored' THEN tried.place * 4 + 3 END)`;

function mergedResult({
  attempts,
  caseRule,
}: {
  readonly attempts: number;
  readonly caseRule?: CaseRule;
}): string {
  const count = (result: string) => `count(*) FILTER (WHERE tried.result = '${result}')`;
  if (caseRule !== undefined && attempts >= caseRule.passes)
    return `CASE WHEN count(*) = 0 THEN NULL WHEN ${count('passed')} >= ${caseRule.passes} THEN 'passed'
      WHEN ${count('failed')} > ${attempts - caseRule.passes} THEN 'failed'
      ELSE CASE ${firstUndecided} % 4 WHEN 1 THEN 'error' WHEN 3 THEN 'unscored' ELSE 'not-measured' END END`;
  return `CASE WHEN count(*) = 0 THEN NULL WHEN ${count('unscored')} > 0 THEN 'unscored'
    WHEN ${count('failed')} > 0 THEN 'failed' WHEN ${count('error')} > 0 THEN 'error'
    WHEN ${count('passed')} < ${attempts} THEN 'not-measured' ELSE 'passed' END`;
}

/** Returns the mean of a number over the attempts of a cell, or of a text the first one. */
function meanIn(choice: MatrixChoice, at: number, field: string): SqlPart {
  const { run } = choice.columns[at] as OpenColumn;
  const { sql, values } = requireColumn(run, field, choice.dialect);
  const all = isNumeric(field) ? `avg(${sql})` : `min(${sql})`;
  return part(`SELECT ${all} ${attemptsIn(choice, at)}`, values);
}

function isNumeric(field: string): boolean {
  // Traits are no columns: they are tested on the records.
  if (isTraitField(field)) return false;
  return metricOf(field) !== undefined || findFixedField(field)?.type === 'number';
}

/** Returns the value that rows are sorted by, where it is not the value of all cells or the place in the plan. */
function orderIn(choice: MatrixChoice): SqlPart[] {
  const { dialect, sort, columns } = choice;
  if (sort.field === planOrder.field || isOfTotals(sort.field)) return [];
  const { sql, values } =
    sort.side === undefined
      ? requireColumn((columns[0] as OpenColumn).run, sort.field, dialect)
      : meanIn(choice, sides.indexOf(sort.side), sort.field);
  return [part(`(${sql}) AS sorted`, values)];
}

function valueOf({ field }: Sort, columns: number): string {
  if (field === planOrder.field) return 'p0';
  return isOfTotals(field) ? ofTotals(field, columns) : 'sorted';
}

/** The numbers of all scores of a row: their largest difference, where two are known, and their mean. */
const numbersOfTotals: Readonly<Record<string, string>> = {
  spread: 'CASE WHEN count(total) > 1 THEN max(total) - min(total) END',
  mean: 'avg(total)',
};

const isOfTotals = (field: string): boolean => Object.hasOwn(numbersOfTotals, field);

function ofTotals(field: string, columns: number): string {
  const each = sides.slice(0, columns).map((_, at) => `SELECT matrix.t${at} AS total`);
  return `(SELECT ${numbersOfTotals[field] ?? 'NULL'} FROM (${each.join(' UNION ALL ')}) AS totals)`;
}

function orderOf(sort: Sort, columns: number): string {
  const direction = sort.isDescending ? 'DESC' : 'ASC';
  if (sort.field === planOrder.field) return `p0 ${direction}`;
  const place = `${2 * columns + 1}`;
  return `CASE WHEN ${valueOf(sort, columns)} IS NULL THEN 1 ELSE 0 END, ${place} ${direction}, p0`;
}

function isAfter({ value, ordinal }: TrialCursor, { field, isDescending }: Sort, columns: number): SqlPart {
  if (field === planOrder.field) return part(`p0 ${isDescending ? '<' : '>'} ?`, [ordinal]);
  const sorted = valueOf({ field, isDescending }, columns);
  if (value === null) return part(`${sorted} IS NULL AND p0 > ?`, [ordinal]);
  const order = isDescending ? '<' : '>';
  return part(`(${sorted} IS NULL OR ${sorted} ${order} ? OR (${sorted} = ? AND p0 > ?))`, [
    value,
    value,
    ordinal,
  ]);
}

/** A filter of a matrix in SQL. */
interface CompiledTerms {
  /** The conditions on the records of a row. */
  readonly within: readonly SqlPart[];
  /** The conditions on the results of its cells. */
  readonly outside: readonly SqlPart[];
  readonly rest: Filter;
}

function compileTerms(choice: MatrixChoice): CompiledTerms {
  const compiled = choice.where.map((term) => compileTerm(choice, term));
  return {
    within: compiled.flatMap(({ within = [] }) => within),
    outside: compiled.flatMap(({ outside = [] }) => outside),
    rest: compiled.flatMap(({ rest = [] }) => rest),
  };
}

function compileTerm(choice: MatrixChoice, term: FilterTerm): Partial<CompiledTerms> {
  const { dialect, columns } = choice;
  const { side, field } = term;
  if (field === 'cells') return { outside: [cellsCondition(columns.length, term)] };
  if (isOfTotals(field)) {
    const number = { table: 'scores', ...part(ofTotals(field, columns.length)) } as const;
    return { outside: [numberCondition(number, term)] };
  }
  if (side === undefined) {
    const { where, rest } = compileFilter({ ...(columns[0] as OpenColumn), dialect }, [term]);
    return { within: where, rest };
  }
  const at = sides.indexOf(side);
  if (field === 'result' || field === 'passed') return { outside: [resultCondition(at, term)] };
  const { side: _column, ...plain } = term;
  if (isNumeric(field)) {
    const { sql, values } = meanIn(choice, at, field);
    return { within: [numberCondition({ table: 'scores', ...part(`(${sql})`, values) }, plain)] };
  }
  const { where, rest } = compileFilter({ ...(columns[at] as OpenColumn), dialect }, [plain]);
  const conditions = where.map(({ sql, values }) =>
    part(`EXISTS (SELECT 1 ${attemptsIn(choice, at)} AND ${sql})`, values),
  );
  return { within: conditions, rest: rest.length === 0 ? [] : [term] };
}

const isPassed = (at: number) => part(`r${at} = 'passed'`);
const isFailing = (at: number) => part(`r${at} IN ('failed', 'error')`);
const all = (parts: readonly SqlPart[]): SqlPart => joined(parts, ' AND ');

/** Returns the condition that all cells of a row together have one of some patterns. */
function cellsCondition(columns: number, term: FilterTerm): SqlPart {
  const places = Array.from({ length: columns }, (_, at) => at);
  const patterns: readonly (readonly [name: string, condition: SqlPart])[] = [
    ['differ', all([anyOf(places.map(isPassed)), anyOf(places.map(isFailing))])],
    ['all-pass', all(places.map(isPassed))],
    ['all-fail', all(places.map(isFailing))],
    ...places.map((place): [string, SqlPart] => [
      `only-${sides[place] as Side}-fails`,
      all(places.map((at) => (at === place ? isFailing(at) : isPassed(at)))),
    ]),
  ];
  const matches = matcherOf(term);
  const wanted = patterns.flatMap(([name, condition]) => (matches(name) ? [part(`(${condition.sql})`)] : []));
  return unless(term.operator === '!=', anyOf(wanted));
}

/** Returns a condition on the result of a column. */
function resultCondition(at: number, term: FilterTerm): SqlPart {
  const matches = matcherOf(term);
  const names = ['passed', 'failed', 'error', 'not-measured', 'unscored'];
  const nameOf = (result: string) => ({ passed: 'true', failed: 'false' })[result] ?? '';
  const wanted = names.filter((result) =>
    term.field === 'passed' ? matches(nameOf(result)) : matches(result),
  );
  return unless(term.operator === '!=', isOneOf(part(`r${at}`), wanted));
}
