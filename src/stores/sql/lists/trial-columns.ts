import { metricOf } from '../../../core/lib/filter/fields.ts';
import { uncategorized } from '../../../core/schema/case.ts';
import { unmeasuredCodes } from '../../../core/schema/trial.ts';
import type { RunOfTrials } from '../../../core/trials/trial-values.ts';
import type { SqlDialect, SqlValue } from '../database.ts';

/** A piece of SQL with its parameters. */
export interface SqlPart {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** The tables that a column reads: one of them, or with `results` the trials and, of those that have any, their scores. */
export type ColumnTable = 'trials' | 'scores' | 'cases' | 'results';

/** An expression for the value of a field. */
export interface SqlColumn extends SqlPart {
  readonly table: ColumnTable;
}

const columns: Readonly<Record<string, readonly [table: ColumnTable, sql: string]>> = {
  ordinal: ['trials', 'trials.ordinal'],
  target: ['trials', 'trials.target'],
  attempt: ['trials', 'trials.attempt'],
  status: ['trials', 'trials.status'],
  error: ['trials', 'trials.error_code'],
  cost: ['trials', 'trials.cost'],
  latencyMs: ['trials', 'trials.latency_ms'],
  inputTokens: ['trials', 'trials.input_tokens'],
  outputTokens: ['trials', 'trials.output_tokens'],
  steps: ['trials', 'trials.steps'],
  toolCalls: ['trials', 'trials.tool_calls'],
  retries: ['trials', 'trials.retries'],
  total: ['scores', 'scores.total'],
  grade: ['scores', 'scores.grade'],
  outcome: ['scores', 'scores.outcome'],
  metrics: ['scores', 'scores.metrics'],
  id: ['cases', 'cases.id'],
  category: ['cases', `coalesce(cases.category, '${uncategorized}')`],
  cluster: ['cases', 'cases.cluster'],
  tag: ['cases', 'cases.tags'],
};

const passedColumn = "CASE scores.passed WHEN 1 THEN 'true' WHEN 0 THEN 'false' END";

/** Returns the expression for the value of a field; undefined for a field whose values are only in records. */
export function columnOf(run: RunOfTrials, field: string, dialect: SqlDialect): SqlColumn | undefined {
  if (field === 'result') return { table: 'results', sql: dialect.ordered(resultColumn(run)), values: [] };
  const metric = metricOf(field);
  if (metric !== undefined) return metricColumn(metric, dialect);
  if (field === 'passed') return { table: 'scores', sql: dialect.ordered(passedColumn), values: [] };
  if (!Object.hasOwn(columns, field)) return undefined;
  const [table, sql] = columns[field] as (typeof columns)[string];
  return { table, sql, values: [] };
}

/** Returns the expression for the value of a field that lists can be sorted by. */
export function requireColumn(run: RunOfTrials, field: string, dialect: SqlDialect): SqlColumn {
  const column = columnOf(run, field, dialect);
  if (column === undefined) throw new TypeError(`There is no column for ${field}.`);
  return column;
}

function metricColumn(name: string, { memberOf }: SqlDialect): SqlColumn {
  const sql = `CAST(${memberOf('scores.metrics', name)} AS DOUBLE PRECISION)`;
  return { table: 'scores', sql, values: [name] };
}

/** Returns the condition that a metric has a verdict without a value. */
export function metricIsMissing(name: string, { isNullIn }: SqlDialect): SqlPart {
  return { sql: isNullIn('scores.metrics'), values: [name] };
}

/** The condition that a trial ended in an error of the target; see `isTargetError`. */
export const errorCondition = ["trials.status = 'failed'", ...unmeasuredCodes.map(isNotCode)].join(' AND ');

function isNotCode(code: string): string {
  return `trials.error_code IS DISTINCT FROM '${code}'`;
}

/** Returns the expression for the outcome of a trial; see `outcomeOfTrial`. */
function resultColumn({ scorecard }: RunOfTrials): string {
  const ofAnswer =
    scorecard === null
      ? "ELSE 'unscored'"
      : `WHEN scores.total IS NULL OR scores.passed IS NULL THEN 'not-measured'
         WHEN scores.passed = 1 THEN 'passed' ELSE 'failed'`;
  return `CASE WHEN ${errorCondition} THEN 'error' WHEN trials.status <> 'completed' THEN 'not-measured' ${ofAnswer} END`;
}
