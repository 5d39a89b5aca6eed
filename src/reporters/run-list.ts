import type { Run } from '../schema/run.ts';
import { formatCount, formatInterval, formatPercent } from './format-number.ts';
import { formatTime } from './format-time.ts';
import type { ReportView } from './reporter.ts';
import { type Line, renderLine, span } from './terminal/line.ts';
import { setTable } from './terminal/table.ts';
import { shareTone } from './terminal/tone.ts';

/** The runs that are kept as a table, in the order given: one line for each target of each run. */
export function formatRunList(runs: readonly Run[], view: ReportView): string {
  if (runs.length === 0) return renderLine([span('No runs are kept yet; `touchstone run` makes one.')], view);
  const columns = [
    { title: 'Target' },
    { title: 'Run' },
    { title: 'Score', align: 'right' },
    { title: '', isOptional: true },
    { title: 'n', align: 'right', isOptional: true },
    { title: 'Begun', isOptional: true },
    { title: 'Dataset', isOptional: true },
  ] as const;
  const lines = setTable({ columns, rows: runs.flatMap(runRows) }, view.width);
  return lines.map((line) => renderLine(line, view)).join('');
}

function runRows(run: Run): Line[][] {
  const about = [[span(formatTime(run.createdAt), 'quiet')], [span(run.dataset.sources.join(', '), 'quiet')]];
  if (run.summary === undefined) {
    const names = run.targets.map(({ name }) => name).join(', ');
    return [[[span(names)], [span(run.id)], [span(run.status, 'fair')], [], [], ...about]];
  }
  return run.summary.targets.map(({ target, score, counts }) => [
    [span(target)],
    [span(run.id)],
    [span(formatPercent(score.value), shareTone(score.value, run.scorecard?.passMark))],
    [span(formatInterval(score), 'quiet')],
    [span(`${formatCount(counts.measured)}/${formatCount(counts.planned)}`)],
    ...about,
  ]);
}
