import { formatCount, formatInterval, formatPercent, formatTime, shortCommit } from '../report/format.ts';
import { plainTargets } from '../report/report-input.ts';
import type { Run } from '../schema/run.ts';
import type { ReportView } from './reporter.ts';
import { type Line, renderLine, shareTone, span } from './terminal/line.ts';
import { setTable } from './terminal/table.ts';

/** How far a run is that is still going on. */
export interface RunProgress {
  readonly done: number;
  readonly planned: number;
  /** Mean total so far; null before the first. */
  readonly score: number | null;
}

/** A run as it stands. */
export interface ListedRun {
  readonly run: Run;
  /** Whether its process has died over it: its record says for ever that it is going on. */
  readonly isEnded?: boolean;
  /** Of one that is going on, where that was counted. */
  readonly progress?: RunProgress | undefined;
}

/** The runs that are kept as a table, in the order given: one line for each target of each run. */
export function formatRunList(runs: readonly ListedRun[], view: ReportView): string {
  if (runs.length === 0) return renderLine([span('No runs are kept yet; `touchstone run` makes one.')], view);
  const columns = [
    { title: 'Target' },
    { title: 'Run' },
    { title: 'Score', align: 'right' },
    { title: '', isOptional: true },
    { title: 'n', align: 'right', isOptional: true },
    { title: 'Begun', isOptional: true },
    { title: 'Commit', isOptional: true },
    { title: 'Branch', isOptional: true },
    { title: 'Dataset', isOptional: true },
  ] as const;
  const lines = setTable({ columns, rows: runs.flatMap(runRows) }, view.width);
  return lines.map((line) => renderLine(line, view)).join('');
}

function runRows({ run, isEnded = false, progress }: ListedRun): Line[][] {
  const { git } = run;
  const about = [
    [span(formatTime(run.createdAt), 'quiet')],
    git === undefined ? [] : [span(`${shortCommit(git)}${git.dirty === true ? '*' : ''}`, 'quiet')],
    git === undefined || git.branch === null ? [] : [span(git.branch, 'quiet')],
    [span(run.dataset.sources.join(', '), 'quiet')],
  ];
  if (run.summary === undefined) {
    const names = plainTargets(run).join(', ');
    const score = progress?.score ?? null;
    const status = isEnded ? endedStatus(run) : run.isImporting === true ? 'importing' : run.status;
    const standing = score === null ? status : `${status}, so far ${formatPercent(score)}`;
    const done =
      progress === undefined ? [] : [span(`${formatCount(progress.done)}/${formatCount(progress.planned)}`)];
    return [[[span(names)], [span(run.id)], [span(standing, 'fair')], [], done, ...about]];
  }
  const names = new Set(plainTargets(run));
  const targets = run.summary.targets.filter(({ target }) => names.has(target));
  return targets.map(({ target, score, counts }) => [
    [span(target)],
    [span(run.id)],
    [span(formatPercent(score.value), shareTone(score.value, run.scorecard?.passMark))],
    [span(formatInterval(score), 'quiet')],
    [span(`${formatCount(counts.measured)}/${formatCount(counts.planned - (counts.notNeeded ?? 0))}`)],
    ...about,
  ]);
}

/** Nothing was called where the plan was not complete. */
function endedStatus({ status, isImporting }: Run): string {
  if (isImporting === true) return 'not imported';
  return status === 'planning' ? 'never begun' : 'interrupted';
}
