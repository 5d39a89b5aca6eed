import { errorNotes } from '../report/rows/question-row.ts';
import { questionOf, uncategorized } from '../../core/schema/case.ts';
import { outcomeOfTrial } from '../../core/schema/result.ts';
import type { Result } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import { toolCallsOf } from '../../core/schema/trial.ts';
import type { Verdict } from '../../core/schema/verdict.ts';

/** The value of a cell; undefined for what was not measured, which is never 0. */
export type Cell = string | number | boolean | null | undefined;

/** A column of a table with a row for each trial. */
export interface TrialColumn {
  readonly name: string;
  readonly type: 'text' | 'number' | 'integer' | 'boolean';
  readonly read: (result: Result) => Cell;
}

/** Returns the columns of a run: what was asked and answered, each metric, score, error, cost, and each explanation. */
export function trialColumns(run: Run): TrialColumn[] {
  const metrics = run.metrics.map(({ name }) => name);
  const columns: TrialColumn[] = [
    ...askedColumns,
    { name: 'result', type: 'text', read: (result) => outcomeOfTrial(run, result) },
    ...scoreColumns,
    ...metrics.map(
      (name): TrialColumn => ({
        name,
        type: 'number',
        read: ({ verdicts }) => valueOf(verdicts[name]),
      }),
    ),
    ...measuredColumns,
    { name: 'error', type: 'text', read: (result) => errorNotes(run, result)[0]?.name },
    { name: 'error_message', type: 'text', read: (result) => errorNotes(run, result)[0]?.text },
    ...costColumns,
    { name: 'run', type: 'text', read: () => run.id },
    ...expectedColumns,
    ...metrics.map(
      (name): TrialColumn => ({
        name: `${name} explanation`,
        type: 'text',
        read: ({ verdicts }) => explanationOf(verdicts[name]),
      }),
    ),
  ];
  return withUniqueNames(columns);
}

const askedColumns: readonly TrialColumn[] = [
  { name: 'case', type: 'text', read: ({ case: { id } }) => id },
  { name: 'target', type: 'text', read: ({ trial }) => trial.target },
  { name: 'attempt', type: 'integer', read: ({ trial }) => trial.attempt },
  { name: 'category', type: 'text', read: ({ case: { category } }) => category ?? uncategorized },
  { name: 'question', type: 'text', read: (result) => questionOf(result.case) },
  { name: 'answer', type: 'text', read: ({ trial }) => trial.answer },
];

const scoreColumns: readonly TrialColumn[] = [
  { name: 'score', type: 'number', read: ({ scorecard }) => scorecard?.total },
  { name: 'grade', type: 'text', read: ({ scorecard }) => scorecard?.grade },
  { name: 'outcome', type: 'text', read: ({ scorecard }) => scorecard?.outcome },
  { name: 'passed', type: 'boolean', read: ({ scorecard }) => scorecard?.passed },
];

const measuredColumns: readonly TrialColumn[] = [
  { name: 'explanation', type: 'text', read: ({ scorecard }) => scorecard?.explanation },
  {
    name: 'tools_used',
    type: 'text',
    read: ({ trial }) =>
      toolCallsOf(trial.transcript)
        .map(({ name }) => name)
        .join(' | '),
  },
];

const costColumns: readonly TrialColumn[] = [
  { name: 'latency_ms', type: 'number', read: ({ trial }) => trial.latency?.totalMs },
  { name: 'cost_usd', type: 'number', read: ({ trial }) => trial.cost },
  { name: 'input_tokens', type: 'integer', read: ({ trial }) => trial.usage?.inputTokens },
  { name: 'output_tokens', type: 'integer', read: ({ trial }) => trial.usage?.outputTokens },
];

const expectedColumns: readonly TrialColumn[] = [
  { name: 'status', type: 'text', read: ({ trial }) => trial.status },
  { name: 'tags', type: 'text', read: ({ case: { tags } }) => tags.join(' | ') },
  {
    name: 'expected_answer',
    type: 'text',
    read: ({ case: { expected } }) => [expected.answer ?? []].flat().join(' | '),
  },
  {
    name: 'expected',
    type: 'text',
    read: ({ case: { expected } }) =>
      Object.keys(expected).length === 0 ? undefined : JSON.stringify(expected),
  },
];

function valueOf(verdict: Verdict | undefined): Cell {
  return verdict?.status === 'scored' ? verdict.value : undefined;
}

function explanationOf(verdict: Verdict | undefined): Cell {
  return verdict?.status === 'scored' ? verdict.explanation : verdict?.reason;
}

/** Returns the columns with a number after a name that an earlier one has, such as a metric called "score". */
function withUniqueNames(columns: readonly TrialColumn[]): TrialColumn[] {
  const taken = new Set<string>();
  return columns.map((column) => {
    let { name } = column;
    for (let number = 2; taken.has(name); number++) name = `${column.name}_${number}`;
    taken.add(name);
    return { ...column, name };
  });
}
