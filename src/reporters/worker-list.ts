import { countWorkers, makeWorkerRow, workerColumns } from '../report/worker-row.ts';
import type { WorkerView } from '../schema/api/worker-view.ts';
import type { ReportView } from './reporter.ts';
import { renderLine, span } from './terminal/line.ts';
import { setTable } from './terminal/table.ts';

/** Formats the workers of a run as a table under a title; empty without any. */
export function formatWorkers(
  { run, workers }: { readonly run: string; readonly workers: readonly WorkerView[] },
  view: ReportView,
): string {
  if (workers.length === 0) return '';
  const figures = workerColumns.map((title) => ({ title, align: 'right', isOptional: true }) as const);
  const rows = workers
    .map(makeWorkerRow)
    .map(({ name, state, isBad, figures: cells }) => [
      [span(name)],
      [span(state, isBad ? 'bad' : undefined)],
      ...cells.map((cell) => [span(cell, 'quiet')]),
    ]);
  const table = setTable(
    { columns: [{ title: 'Worker' }, { title: 'State' }, ...figures], rows },
    view.width,
  );
  const title = [span(`Run ${run}: ${countWorkers(workers)}`, 'strong')];
  return [[], title, ...table].map((line) => renderLine(line, view)).join('');
}
