import { formatCount, formatInterval, formatPercent, formatTime, shortCommit } from '../report/format.ts';
import {
  describeFailedAgain,
  formatScore,
  type ReviewedScore,
  shownScore,
} from '../report/score-in-words.ts';
import { runState, stateWords } from '../report/rows/run-row.ts';
import { waitingParts } from '../report/rows/waiting-row.ts';
import { countWorkers, makeWorkerRow, workerColumns } from '../report/rows/worker-row.ts';
import type { RunHead } from '../../core/schema/api/run-head.ts';
import type { RunProgress } from '../../core/schema/api/run-row.ts';
import type { WaitingView } from '../../core/schema/api/waiting-view.ts';
import type { WorkerView } from '../../core/schema/api/worker-view.ts';
import type { ReportView } from './reporter.ts';
import { gap, paragraph, table } from './blocks/block.ts';
import { renderTerminal } from './blocks/terminal.ts';
import { joined, name, shareTone, span, type Text } from './blocks/text.ts';

/** A run with its current state. */
export interface ListedRun {
  readonly run: RunHead;
  /** True when its process has died. The stored status of such a run still says that it is active. */
  readonly isEnded?: boolean;
  /** The progress of an active run, if it was counted. */
  readonly progress?: RunProgress;
  /** The number of its questions that are in batches. */
  readonly inBatches?: number;
}

/** Formats stored runs as a table in the given order: one line for each target of each run. */
export function formatRunList(runs: readonly ListedRun[], view: ReportView): string {
  if (runs.length === 0)
    return renderTerminal(
      [paragraph([span('There are no runs yet; `touchstone run` makes one.')], { indent: 0 })],
      view,
    );
  const isNamed = runs.some(({ run: { name: given, tags } }) => given !== undefined || tags !== undefined);
  const columns = [
    { title: 'Target' },
    { title: 'Run' },
    ...(isNamed ? [{ title: 'Name' }] : []),
    { title: 'Score', align: 'right' },
    { title: '', isOptional: true },
    { title: 'n', align: 'right', isOptional: true },
    { title: 'Started', isOptional: true },
    { title: 'Commit', isOptional: true },
    { title: 'Branch', isOptional: true },
    { title: 'Dataset', isOptional: true },
  ] as const;
  const seen = new Set<string>();
  const rows = runs.flatMap((listed) => {
    const called = isNamed ? [nameCell(listed.run, seen)] : [];
    return runRows(listed).map(([target = [], id = [], ...rest]) => [target, id, ...called, ...rest]);
  });
  return renderTerminal([table(columns, rows)], view);
}

const widestName = 30;

/** Sets the name and the tags of a run. A name finds the newest run that has it, which the older ones say. */
function nameCell({ name: given, tags = {} }: RunHead, seen: Set<string>): Text {
  const isOlder = given !== undefined && seen.has(given);
  if (given !== undefined) seen.add(given);
  return joined([
    given === undefined ? [] : [name(given, isOlder ? 'quiet' : undefined, widestName)],
    ...(isOlder ? [[span('older', 'quiet')]] : []),
    ...Object.entries(tags).map(([key, value]) => [name(`${key}=${value}`, 'quiet', widestName)]),
  ]);
}

function runRows({ run, isEnded = false, progress, inBatches }: ListedRun): Text[][] {
  const batched = inBatches === undefined ? [] : [`${formatCount(inBatches)} in batches`];
  const { git } = run;
  const about = [
    [
      span(
        [formatTime(run.createdAt), ...(run.importedAt === undefined ? [] : ['imported'])].join(', '),
        'quiet',
      ),
    ],
    git === undefined ? [] : [span(`${shortCommit(git)}${git.dirty === true ? '*' : ''}`, 'quiet')],
    git === undefined || git.branch === null ? [] : [span(git.branch, 'quiet')],
    [span(run.dataset.sources.join(', '), 'quiet')],
  ];
  if (run.headlines === null) {
    const names = run.targets.join(', ');
    const score = progress?.score ?? null;
    const status = stateWords[runState(run, isEnded)];
    const soFar = score === null ? [] : [`so far ${formatPercent(score)}`];
    const done =
      progress === undefined
        ? []
        : [`${formatCount(progress.done)} of ${formatCount(progress.planned)} attempts`];
    const state = [status, ...done, ...batched, ...soFar].join(', ');
    return [[[span(names)], [span(run.id)], [span(state, 'fair')], [], [], ...about]];
  }
  const state = runState(run, isEnded);
  const words = [...(state === 'completed' ? [] : [stateWords[state]]), ...batched];
  const ending = words.length === 0 ? [] : [span(`${words.join(', ')}, `, 'fair')];
  return run.headlines.map(({ target, counts, failedAgain, ...reviewed }) => {
    const again = failedAgain === undefined ? undefined : [span(describeFailedAgain(failedAgain))];
    return [
      [span(target)],
      [span(run.id)],
      [...ending, ...(again ?? scoreOf(reviewed, run))],
      again === undefined ? besideScore(reviewed) : [],
      [span(`${formatCount(counts.measured)}/${formatCount(counts.planned)}`)],
      ...about,
    ];
  });
}

function scoreOf(reviewed: ReviewedScore, { passMark }: RunHead): Text {
  const {
    value: { value },
    said,
  } = shownScore(reviewed);
  const [score = ''] = said === undefined ? [formatPercent(value)] : formatScore(reviewed).split(' [');
  return [span(score, shareTone(value, passMark ?? undefined))];
}

/** Sets the interval of a score, and what the judge says of one that is shown as people would give it. */
function besideScore(reviewed: ReviewedScore): Text {
  const { value, said } = shownScore(reviewed);
  const judge = said === undefined ? [] : [`judge says ${formatPercent(said.value)}`];
  return joined([formatInterval(value), ...judge].filter(Boolean).map((text) => [span(text, 'quiet')]));
}

/** Formats what a run waits for as a line; empty when it waits for nothing. */
export function formatWaiting(
  { run, waiting }: { readonly run: string; readonly waiting: WaitingView | undefined },
  view: ReportView,
): string {
  if (waiting === undefined) return '';
  const parts = [`Run ${run}`, ...waitingParts(waiting)];
  return renderTerminal([gap, paragraph([span(parts.join(' · '), 'fair')], { indent: 0 })], view);
}

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
  const title = paragraph([span(`Run ${run}: ${countWorkers(workers)}`, 'strong')], { indent: 0 });
  return renderTerminal(
    [gap, title, table([{ title: 'Worker' }, { title: 'State' }, ...figures], rows)],
    view,
  );
}
