import type { ReactNode } from 'react';
import {
  formatCount,
  formatDuration,
  formatMoney,
  formatPercent,
  formatPoints,
  missing,
} from '../../../../src/look/report/format.ts';
import { formatSort } from '../../../../src/core/lib/filter/parse-sort.ts';
import type { TrialRow } from '../../../../src/core/schema/api/trial-row.ts';
import type { Run } from '../../../../src/core/schema/run.ts';
import { AttemptMarks, OutcomeMark } from '../../parts/outcome-mark.tsx';
import { PlainText } from '../../parts/plain-text.tsx';

/** A column of the list of cases. */
export interface CaseColumn {
  /** The name in the address. */
  readonly name: string;
  readonly title: string;
  /** The width, as a track of a CSS grid. */
  readonly width: string;
  /** The field of the order; absent for a column that the list cannot be sorted by. */
  readonly sort?: string;
  readonly align?: 'right';
  /** True for a column that is shown unless others are chosen. */
  readonly isUsual: boolean;
  readonly cell: (row: TrialRow, run: Pick<Run, 'metrics' | 'scorecard'>) => ReactNode;
}

const text = (value: string | null) => (value === null ? missing : <PlainText text={value} />);
const number = (value: number | null, format: (value: number) => string) =>
  value === null ? missing : format(value);

const all: readonly CaseColumn[] = [
  {
    name: 'result',
    title: 'Result',
    width: '7.5rem',
    sort: 'result',
    isUsual: true,
    cell: (row) => <Result row={row} />,
  },
  {
    name: 'id',
    title: 'Id',
    width: 'minmax(6rem, 2fr)',
    sort: 'id',
    isUsual: true,
    cell: ({ caseId }) => text(caseId),
  },
  {
    name: 'target',
    title: 'Target',
    width: 'minmax(4rem, 7rem)',
    sort: 'target',
    isUsual: true,
    cell: ({ target }) => text(target),
  },
  {
    name: 'category',
    title: 'Category',
    width: '8rem',
    sort: 'category',
    isUsual: false,
    cell: ({ category }) => text(category),
  },
  {
    name: 'question',
    title: 'Question',
    width: 'minmax(8rem, 4fr)',
    isUsual: true,
    cell: ({ question }) => text(question),
  },
  {
    name: 'answer',
    title: 'Answer',
    width: 'minmax(8rem, 4fr)',
    isUsual: true,
    cell: (row) => <Answer row={row} />,
  },
  {
    name: 'score',
    title: 'Score',
    width: '3rem',
    sort: 'total',
    align: 'right',
    isUsual: true,
    cell: ({ total }) => formatPoints(total),
  },
  {
    name: 'grade',
    title: 'Grade',
    width: '6rem',
    sort: 'grade',
    isUsual: false,
    cell: ({ grade, outcome }) => text(outcome ?? grade),
  },
  {
    name: 'metrics',
    title: 'Metrics',
    width: '4.5rem',
    isUsual: true,
    cell: (row, run) => <MetricBars row={row} run={run} />,
  },
  {
    name: 'tools',
    title: 'Tools',
    width: '2.5rem',
    sort: 'toolCalls',
    align: 'right',
    isUsual: true,
    cell: ({ toolCalls }) => number(toolCalls, formatCount),
  },
  {
    name: 'steps',
    title: 'Steps',
    width: '3.5rem',
    sort: 'steps',
    align: 'right',
    isUsual: false,
    cell: ({ steps }) => number(steps, formatCount),
  },
  {
    name: 'latency',
    title: 'Time',
    width: '4rem',
    sort: 'latencyMs',
    align: 'right',
    isUsual: true,
    cell: ({ latencyMs }) => number(latencyMs, formatDuration),
  },
  {
    name: 'cost',
    title: 'Cost',
    width: '5rem',
    sort: 'cost',
    align: 'right',
    isUsual: true,
    cell: ({ cost }) => number(cost, formatMoney),
  },
  {
    name: 'tokens',
    title: 'Tokens',
    width: '5rem',
    sort: 'outputTokens',
    align: 'right',
    isUsual: false,
    cell: ({ outputTokens }) => number(outputTokens, formatCount),
  },
  {
    name: 'retries',
    title: 'Retries',
    width: '4.5rem',
    sort: 'retries',
    align: 'right',
    isUsual: false,
    cell: ({ retries }) => formatCount(retries),
  },
  { name: 'tags', title: 'Tags', width: '8rem', isUsual: false, cell: ({ tags }) => text(tags.join(', ')) },
];

/** Returns the columns that a run can have: the usual ones, and one for each metric. */
export function columnsOf({ targets, metrics }: Pick<Run, 'targets' | 'metrics'>): readonly CaseColumn[] {
  const fixed = targets.length > 1 ? all : all.filter(({ name }) => name !== 'target');
  return [...fixed, ...metrics.map(metricColumn)];
}

/** Formats a measured quantity, whose unit a list does not know. */
function formatOwn(value: number): string {
  return Math.abs(value) >= 100 ? formatCount(value) : String(Number(value.toPrecision(3)));
}

function metricColumn({ name, family }: Run['metrics'][number]): CaseColumn {
  const field = `metric.${name}`;
  return {
    // Commas separate the columns in the address.
    name: encodeURIComponent(field),
    title: name,
    width: 'minmax(5rem, 8rem)',
    sort: formatSort({ field, isDescending: false }),
    align: 'right',
    isUsual: false,
    cell: ({ metrics }) => {
      const value = Object.hasOwn(metrics, name) ? metrics[name] : undefined;
      if (value === undefined) return missing;
      if (value === null) return <span className="text-quiet">not measured</span>;
      return family === 'operations' || value < 0 || value > 1 ? formatOwn(value) : formatPercent(value);
    },
  };
}

/** Returns the chosen columns, in their usual order; the usual ones for a choice without a known name. */
export function chooseColumns(
  columns: readonly CaseColumn[],
  names: string | undefined,
): readonly CaseColumn[] {
  const wanted = new Set((names ?? '').split(','));
  const chosen = columns.filter(({ name }) => wanted.has(name));
  return chosen.length === 0 ? columns.filter(({ isUsual }) => isUsual) : chosen;
}

function Result({ row: { result, attempts } }: { readonly row: TrialRow }) {
  return attempts.length > 1 ? <AttemptMarks outcomes={attempts} /> : <OutcomeMark outcome={result} />;
}

function Answer({ row: { answer, errorCode, status } }: { readonly row: TrialRow }) {
  if (answer !== null && answer !== '') return <PlainText text={answer} />;
  const why = errorCode ?? (status === 'completed' ? 'no answer' : status);
  return (
    <span className={status === 'failed' ? 'text-bad' : 'text-quiet'}>
      <PlainText text={why} />
    </span>
  );
}

/**
 * The metrics of a trial as bars, the metrics of the scorecard first: as high as the value, hollow where it was not measured. Times
 * and sizes are no shares, and have no bar.
 */
function MetricBars({
  row,
  run,
}: {
  readonly row: TrialRow;
  readonly run: Pick<Run, 'metrics' | 'scorecard'>;
}) {
  const criteria = run.scorecard?.criteria.map(({ metric }) => metric) ?? [];
  const others = run.metrics.flatMap(({ name, family }) => (family === 'operations' ? [] : [name]));
  const names = [...new Set([...criteria, ...others])];
  const bars = names.flatMap((name) => {
    const value = Object.hasOwn(row.metrics, name) ? row.metrics[name] : undefined;
    return value === undefined || (value !== null && (value < 0 || value > 1)) ? [] : [{ name, value }];
  });
  if (bars.length === 0) return missing;
  const label = bars.map(
    ({ name, value }) => `${name} ${value === null ? 'not measured' : formatPercent(value)}`,
  );
  return (
    <span
      role="img"
      aria-label={label.join(', ')}
      title={label.join('\n')}
      className="flex h-4 items-end gap-0.5 overflow-hidden"
    >
      {bars.map(({ name, value }) => (
        <span
          key={name}
          className={`relative h-4 w-2 shrink-0 border-b ${value === null ? 'border border-dashed border-unsure' : 'border-quiet bg-hover'}`}
        >
          {value !== null && (
            <span
              className={`absolute inset-x-0 bottom-0 ${value >= 1 - 1e-9 ? 'bg-good' : 'bg-accent'}`}
              style={{ height: `${value * 100}%` }}
            />
          )}
        </span>
      ))}
    </span>
  );
}
