import type { Run } from '../../schema/run.ts';
import type { Summary, TargetSummary } from '../../schema/summary.ts';
import { type IntervalRow, intervalRows, sharedIntervalRows } from '../../report/rows/interval-rows.ts';
import { indented } from './flow.ts';
import { type Line, span } from './line.ts';
import { setTable } from './table.ts';

const note =
  'n counts questions, the attempts of one averaged first; coverage is of the trials that should have been measured.';

/** How every number of a target was made: interval, n, clusters, coverage and method. */
export function intervalLines(run: Run, target: TargetSummary, width: number): Line[] {
  return [
    ...table(intervalRows(run, target), 'How sure', width),
    ...indented([span(note, 'quiet')], width, 2),
  ];
}

/** The same of what is not of a single target. */
export function sharedIntervalLines(summary: Summary, width: number): Line[] {
  return table(sharedIntervalRows(summary), 'How sure, side by side', width);
}

function table(rows: readonly IntervalRow[], title: string, width: number): Line[] {
  if (rows.length === 0) return [];
  const isClustered = rows.some(({ clusters }) => clusters !== '');
  const columns = [
    { title },
    { title: 'Mean', align: 'right' },
    { title: '' },
    { title: 'n', align: 'right' },
    { title: 'Measured', align: 'right', isOptional: true },
    { title: isClustered ? 'Method (clusters)' : 'Method' },
    { title: '', isOptional: true },
  ] as const;
  return setTable({ columns, rows: rows.map(cells) }, width);
}

function cells({ name, value, interval, n, clusters, coverage, method, caution }: IntervalRow): Line[] {
  return [
    [span(name.map((part) => (typeof part === 'string' ? part : part.quoted)).join(''))],
    [span(value)],
    [span(interval === '' ? 'no interval' : interval, 'quiet')],
    [span(n)],
    [span(coverage)],
    [span(clusters === '' ? method : `${method} (${clusters})`, 'quiet')],
    [span(caution, 'fair')],
  ];
}
