import { metricOf } from '../../lib/filter/fields.ts';
import { uncategorized } from '../../schema/case.ts';
import { notRecordedCode } from '../../schema/trial.ts';
import type { RunOfTrials } from '../trial-values.ts';
import type { SqlValue } from './database.ts';

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
  passed: ['scores', "CASE scores.passed WHEN 1 THEN 'true' WHEN 0 THEN 'false' END"],
  grade: ['scores', 'scores.grade'],
  outcome: ['scores', 'scores.outcome'],
  id: ['cases', 'cases.id'],
  category: ['cases', `coalesce(cases.category, '${uncategorized}')`],
  cluster: ['cases', 'cases.cluster'],
  tag: ['cases', 'cases.tags'],
};

/** Returns the expression for the value of a field; undefined for a field whose values are only in records. */
export function columnOf(run: RunOfTrials, field: string): SqlColumn | undefined {
  if (field === 'result') return { table: 'results', sql: resultColumn(run), values: [] };
  const metric = metricOf(field);
  if (metric !== undefined) return metricColumn(metric);
  if (!Object.hasOwn(columns, field)) return undefined;
  const [table, sql] = columns[field] as (typeof columns)[string];
  return { table, sql, values: [] };
}

/** Returns the expression for the value of a field that lists can be sorted by. */
export function requireColumn(run: RunOfTrials, field: string): SqlColumn {
  const column = columnOf(run, field);
  if (column === undefined) throw new TypeError(`There is no column for ${field}.`);
  return column;
}

/** Names that the operator `->>` does not read as a path. Others are looked up one by one. */
const plainName = /^[A-Za-z_][\w. -]*$/;

function metricColumn(name: string): SqlColumn {
  const value = plainName.test(name)
    ? 'scores.metrics ->> ?'
    : '(SELECT value FROM json_each(scores.metrics) WHERE key = ?)';
  return { table: 'scores', sql: `CAST(${value} AS DOUBLE PRECISION)`, values: [name] };
}

/** Returns the condition that a metric has a verdict without a value. */
export function metricIsMissing(name: string): SqlPart {
  const sql = `EXISTS (SELECT 1 FROM json_each(scores.metrics) WHERE key = ? AND type = 'null')`;
  return { sql, values: [name] };
}

/** The condition that a trial ended in an error of the target; see `isTargetError`. */
const isError = `trials.status = 'failed' AND trials.error_code IS NOT '${notRecordedCode}'`;

/** Returns the expression for the outcome of a trial; see `outcomeOfTrial`. */
function resultColumn({ scorecard }: RunOfTrials): string {
  const ofAnswer =
    scorecard === null
      ? "ELSE 'unscored'"
      : `WHEN scores.total IS NULL OR scores.passed IS NULL THEN 'not-measured'
         WHEN scores.passed = 1 THEN 'passed' ELSE 'failed'`;
  return `CASE WHEN ${isError} THEN 'error' WHEN trials.status <> 'completed' THEN 'not-measured' ${ofAnswer} END`;
}
