import { globParts } from '../../../core/lib/compile-glob.ts';
import { findFixedField, metricOf } from '../../../core/lib/filter/fields.ts';
import type { Filter, FilterTerm } from '../../../core/lib/filter/filter.ts';
import { compileTextPattern, patternOf } from '../../../core/lib/filter/match-filter.ts';
import type { RunOfTrials } from '../../../core/trials/trial-values.ts';
import type { SqlDialect } from '../database.ts';
import type { OpenRun } from '../records.ts';
import { traitCondition } from './traits.ts';
import {
  type ColumnTable,
  columnOf,
  metricIsMissing,
  type SqlColumn,
  type SqlPart,
} from './trial-columns.ts';

/** A filter in SQL. */
export interface CompiledFilter {
  /** The conditions, all of which must be true. A condition may let more trials through than its term. */
  readonly where: readonly SqlPart[];
  /** The tables that the conditions need. */
  readonly tables: ReadonlySet<ColumnTable>;
  /** The terms that SQL cannot decide exactly: they are to be tested on the whole results. */
  readonly rest: Filter;
  /** True when the conditions select one value of `scores.passed`, by which scores have an index. */
  readonly isOfResult: boolean;
}

/** The run whose trials are filtered, in a database. */
export interface FilteredRun {
  readonly run: RunOfTrials;
  readonly open: Pick<OpenRun, 'number'>;
  readonly dialect: SqlDialect;
}

/** Compiles a filter of trials to conditions with parameters. No text of the filter becomes a part of the SQL. */
export function compileFilter({ run, open, dialect }: FilteredRun, filter: Filter): CompiledFilter {
  const compiled = filter.map((term) => {
    const ofTrait = traitCondition(term, open, dialect);
    return { term, ...(ofTrait ? traitTerm(ofTrait, term) : compileTerm(run, term, dialect)) };
  });
  const where = compiled.flatMap(({ condition }) => condition ?? []);
  return {
    where,
    isOfResult: where.some(({ sql }) => sql.startsWith(isPassed)),
    tables: new Set(compiled.flatMap(({ table }) => table ?? [])),
    rest: compiled.flatMap(({ term, isExact }) => (isExact ? [] : [term])),
  };
}

interface CompiledTerm {
  readonly condition?: SqlPart;
  readonly table?: ColumnTable;
  /** True when the condition is true for exactly the trials that the term matches. */
  readonly isExact: boolean;
}

function traitTerm(condition: SqlPart, { operator }: FilterTerm): CompiledTerm {
  return exactly(unless(operator === '!=', condition), 'trials');
}

function compileTerm(run: RunOfTrials, term: FilterTerm, dialect: SqlDialect): CompiledTerm {
  const { field } = term;
  if (field === 'answer') return { ...recordCondition('trials', term, dialect), isExact: false };
  if (field === 'question') return { ...recordCondition('cases', term, dialect), isExact: false };
  if (field === 'missing') return exactly(missingCondition(run, term, dialect), 'scores');
  const column = columnOf(run, field, dialect);
  if (column === undefined) return { isExact: false };
  if (field === 'result') return exactly(resultCondition(run, column, term), column.table);
  const known = knownValues(run, field);
  if (known !== undefined) return exactly(knownCondition(column, term, known), column.table);
  if (isNumeric(field)) return exactly(numberCondition(column, term), column.table);
  return { ...textCondition(column, term, dialect), table: column.table };
}

/** The condition that a score has one result. */
const isPassed = 'scores.passed = ?';

function exactly(condition: SqlPart, table: ColumnTable): CompiledTerm {
  return { condition, table, isExact: true };
}

function isNumeric(field: string): boolean {
  return metricOf(field) !== undefined || findFixedField(field)?.type === 'number';
}

const part = (sql: string, values: SqlPart['values'] = []): SqlPart => ({ sql, values });

/** Returns a condition, or its negation, which is true where the condition is unknown. */
export function unless(isNegated: boolean, { sql, values }: SqlPart): SqlPart {
  return isNegated ? part(`(${sql}) IS NOT TRUE`, values) : part(sql, values);
}

/** Returns the condition that a column has one of some values. */
export function isOneOf(column: SqlPart, wanted: SqlPart['values']): SqlPart {
  if (wanted.length === 0) return part('FALSE');
  // An index is used for `=` where it would not be for a list.
  if (wanted.length === 1)
    return part(`${column.sql} = ${wanted.map(markOf).join('')}`, [...column.values, ...wanted]);
  const list = wanted.map(markOf).join(', ');
  return part(`${column.sql} IN (${list})`, [...column.values, ...wanted]);
}

/** Returns the mark of a parameter; a column of integers can be compared with a number that is none. */
function markOf(value: SqlPart['values'][number]): string {
  return typeof value === 'number' && !Number.isSafeInteger(value) ? 'CAST(? AS DOUBLE PRECISION)' : '?';
}

/** Returns the only values that a field can have in a run; undefined where there can be any. */
function knownValues(run: RunOfTrials, field: string): readonly string[] | undefined {
  return field === 'target' ? run.targets.map(({ name }) => name) : findFixedField(field)?.values;
}

function knownCondition(column: SqlColumn, term: FilterTerm, known: readonly string[]): SqlPart {
  const wanted = known.filter(matcherOf(term));
  const isNegated = term.operator === '!=';
  if (term.field !== 'passed') return unless(isNegated, isOneOf(column, wanted));
  const plain = part('scores.passed');
  return unless(
    isNegated,
    isOneOf(
      plain,
      wanted.map((value) => Number(value === 'true')),
    ),
  );
}

/** Returns a condition on the outcome of trials, in a form that uses the index of failed trials. */
function resultCondition(run: RunOfTrials, column: SqlColumn, term: FilterTerm): SqlPart {
  const known = findFixedField('result')?.values ?? [];
  const wanted = known
    .filter(matcherOf(term))
    .filter((value) => value !== 'unscored' || run.scorecard === null);
  const isNegated = term.operator === '!=';
  const [only] = wanted;
  const isPlain = run.scorecard !== null && wanted.length === 1 && (only === 'passed' || only === 'failed');
  if (!isPlain) return unless(isNegated, isOneOf(column, wanted));
  const sql = `${isPassed} AND scores.total IS NOT NULL AND trials.status = 'completed'`;
  return unless(isNegated, part(sql, [Number(only === 'passed')]));
}

/** Returns a function that tests whether a text is one of the values of a term. */
export function matcherOf({ values, operator }: FilterTerm): (text: string) => boolean {
  const globs = values.map((value) => compileTextPattern(String(value), operator));
  return (text) => globs.some((matches) => matches(text));
}

/** Returns the condition of a term on a column of numbers. */
export function numberCondition(column: SqlColumn, { operator, values }: FilterTerm): SqlPart {
  const isEquality = operator === '=' || operator === '!=';
  if (!isEquality)
    return part(`${column.sql} ${operator} ${values.map(markOf).join('')}`, [...column.values, ...values]);
  const isAny = values.includes('*');
  const equal = isAny ? part(`${column.sql} IS NOT NULL`, column.values) : isOneOf(column, values);
  return unless(operator === '!=', equal);
}

function missingCondition({ metrics }: RunOfTrials, term: FilterTerm, dialect: SqlDialect): SqlPart {
  const names = metrics.map(({ name }) => name).filter(matcherOf(term));
  return unless(term.operator === '!=', anyOf(names.map((name) => metricIsMissing(name, dialect))));
}

/** Returns the condition that one of some conditions is true. */
export function anyOf(parts: readonly SqlPart[]): SqlPart {
  if (parts.length === 0) return part('FALSE');
  return part(
    `(${parts.map(({ sql }) => sql).join(' OR ')})`,
    parts.flatMap(({ values }) => values),
  );
}

/** The length of the longest pattern that is left to the database, which refuses very long ones. */
const longestPattern = 1000;

/** Characters that `LIKE` compares as `compileGlob` does: it folds the case of ASCII letters only. */
const plainPattern = /^[\x01-\x7f]*$/;

/** Returns a condition with `LIKE`. */
function textCondition(
  column: SqlColumn,
  term: FilterTerm,
  dialect: SqlDialect,
): Omit<CompiledTerm, 'table'> {
  const patterns = term.values.map((value) => patternOf(String(value), term.operator));
  const isExact = patterns.every((pattern) => plainPattern.test(pattern) && pattern.length <= longestPattern);
  const isNegated = term.operator === '!=';
  if (isNegated && !isExact) return { isExact };
  const like = patterns.map((pattern) => likeCondition(column, likePattern(pattern), dialect));
  return { condition: unless(isNegated, anyOf(like)), isExact };
}

/**
 * Returns the pattern of `LIKE` for a pattern with stars; it matches more where it cannot match the same. Letters are
 * composed in it, so that what matches one of them matches its parts in a decomposed value as well.
 */
function likePattern(pattern: string): string {
  if (pattern.length > longestPattern) return '%';
  const parts = globParts(pattern).map((text) =>
    text.replace(/[%_\\]/g, String.raw`\$&`).replace(/[^\x01-\x7f]+/g, '%'),
  );
  // Several stars in a row match the same as one.
  return parts.filter((text, index) => text !== '' || index === 0 || index === parts.length - 1).join('%');
}

function likeCondition(
  { sql, values, table }: SqlColumn,
  pattern: string,
  { like: operator, textsIn }: SqlDialect,
): SqlPart {
  const like = String.raw`${operator} ? ESCAPE '\'`;
  const isList = table === 'cases' && sql === 'cases.tags';
  const condition = isList ? `EXISTS (SELECT 1 FROM ${textsIn(sql)} WHERE item ${like})` : `${sql} ${like}`;
  return part(condition, [...values, pattern]);
}

/**
 * Returns the condition that the JSON of a record may contain the text that a term searches: the longest part of each
 * pattern that JSON writes as it is. Compressed records are not searched.
 */
function recordCondition(
  table: 'trials' | 'cases',
  { operator, values }: FilterTerm,
  dialect: SqlDialect,
): Omit<CompiledTerm, 'isExact'> {
  const parts = values.map((value) => longestPlainPart(patternOf(String(value), '=')));
  if (operator === '!=' || parts.some((text) => text === '')) return {};
  const record = `${table}.record`;
  const column: SqlColumn = { table, sql: dialect.textOf(record), values: [] };
  const like = anyOf(parts.map((text) => likeCondition(column, likePattern(`*${text}*`), dialect)));
  return { table, condition: part(`(${dialect.isCompressed(record)} OR ${like.sql})`, like.values) };
}

function longestPlainPart(pattern: string): string {
  const parts = pattern.slice(0, longestPattern / 2).match(/[ !#-)+-[\]-~]+/g) ?? [];
  return parts.reduce((longest, each) => (each.length > longest.length ? each : longest), '');
}
