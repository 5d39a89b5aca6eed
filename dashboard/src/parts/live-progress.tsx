import { formatTimeLeft } from '../../../src/core/lib/text/format-time-left.ts';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import {
  formatCount,
  formatMoney,
  formatPlural,
  formatPoints,
  formatRate,
} from '../../../src/look/report/format.ts';
import { resumeCommand } from '../../../src/look/report/phrase.ts';
import { waitingParts } from '../../../src/look/report/rows/waiting-row.ts';
import { countWorkers, makeWorkerRow, workerColumns } from '../../../src/look/report/rows/worker-row.ts';
import type { LiveRun } from '../../../src/core/schema/api/live-run.ts';
import type { RunProgress, RunRow } from '../../../src/core/schema/api/run-row.ts';
import type { RunView } from '../../../src/core/schema/api/run-view.ts';
import type { WorkerView } from '../../../src/core/schema/api/worker-view.ts';
import { useContinuation, useLiveRun } from '../data/use-events.ts';
import { PlainText } from './plain-text.tsx';

interface LiveProgressOptions {
  readonly view: RunView;
  /** The buttons for the run. */
  readonly actions: ReactNode;
}

/** A run under way: what is done, how fast, what it has cost, and the scores so far with their intervals. */
export function LiveProgress({ view, actions }: LiveProgressOptions) {
  const { run, progress } = view;
  const live = useLiveRun(run.id);
  const { done = 0, planned = 0 } = live ?? progress ?? {};
  if (view.state !== 'running' || planned === 0) {
    return <p className="text-quiet">{waitingWords[view.state] ?? 'The run has not begun yet.'}</p>;
  }
  return (
    <section
      aria-label="Progress"
      className="max-w-3xl rounded-lg border border-line bg-surface px-5 py-5 sm:px-6"
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <p className="text-lg font-semibold">
          {formatCount(done)} of {formatPlural(planned, 'attempt')}
        </p>
        {live !== undefined && <p className="text-quiet">{paceWords(live)}</p>}
        {actions}
      </div>
      <ProgressBar done={done} planned={planned} label="Attempts" className="mt-3 h-2" />
      {live !== undefined && <Facts live={live} />}
      {live !== undefined && live.scores.length > 0 && <Scores live={live} />}
      {live?.workers !== undefined && <Workers workers={live.workers} />}
    </section>
  );
}

const waitingWords: Partial<Record<RunView['state'], string>> = {
  planning: 'The questions are being planned.',
  importing: 'The run is being imported.',
};

function paceWords({ rate, timeLeftMs, waiting }: LiveRun): string {
  if (rate === null) return 'measuring the rate …';
  if (timeLeftMs === null) return 'no attempt has ended lately';
  // The length of a wait is unknown.
  if (waiting !== undefined && waiting.refused.length > 0) return formatRate(rate);
  return `${formatRate(rate)} · ${timeLeftMs === 0 ? 'scoring the last' : `${formatTimeLeft(timeLeftMs)} left`}`;
}

/** The waits now, and the costs and the errors so far. */
function Facts({ live: { spent, maxCost, errors, waiting } }: { readonly live: LiveRun }) {
  const failed = errors.reduce((sum, { trials }) => sum + trials, 0);
  return (
    <>
      {waiting !== undefined && (
        <p role="status" className="mt-3 text-unsure">
          <PlainText text={waitingParts(waiting).join(' · ')} />
        </p>
      )}
      <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-6 gap-y-1">
        <dt className="text-quiet">Cost</dt>
        <dd>
          {formatMoney(spent)}
          {maxCost !== undefined && (
            <>
              {` of at most ${formatMoney(maxCost)}`}
              <ProgressBar
                done={spent}
                planned={maxCost}
                label="Cost limit"
                className="ml-3 inline-block h-1.5 w-24 align-middle"
              />
            </>
          )}
        </dd>
        <dt className="text-quiet">Errors</dt>
        <dd className={failed > 0 ? 'text-bad' : undefined}>
          {failed === 0 ? 'none' : formatPlural(failed, 'attempt')}
          {failed > 0 && (
            <span className="text-quiet">
              {' '}
              <PlainText
                text={errors.map(({ code, trials }) => `${code} ${formatCount(trials)}`).join(', ')}
              />
            </span>
          )}
        </dd>
      </dl>
    </>
  );
}

/** The scores so far: a line from 0 to 100 with the interval of each target, which becomes narrower. */
function Scores({ live: { scores } }: { readonly live: LiveRun }) {
  return (
    <ul aria-label="Scores so far" className="mt-5 space-y-3 border-t border-line pt-4">
      {scores.map(({ target, estimate, lower, upper }) => (
        <li key={target}>
          <p className="flex flex-wrap items-baseline justify-between gap-x-4">
            <PlainText text={target} />
            <span>
              <span className="text-quiet">so far </span>
              <span className="font-semibold">{formatPoints(estimate)} %</span>
              {lower !== null && upper !== null && (
                <span className="text-quiet">{` [${formatPoints(lower)}, ${formatPoints(upper)}]`}</span>
              )}
            </span>
          </p>
          <div aria-hidden="true" className="relative mt-1.5 h-1.5 rounded-full bg-line">
            {lower !== null && upper !== null && (
              <div
                className="absolute h-full rounded-full bg-accent opacity-40 transition-all duration-700"
                style={{ left: `${lower * 100}%`, width: `${(upper - lower) * 100}%` }}
              />
            )}
            {estimate !== null && (
              <div
                className="absolute -top-0.5 h-2.5 w-0.5 bg-accent transition-all duration-700"
                style={{ left: `${estimate * 100}%` }}
              />
            )}
          </div>
        </li>
      ))}
    </ul>
  );
}

/** The other processes that make the run: what each of them does, and which of them do not help. */
function Workers({ workers }: { readonly workers: readonly WorkerView[] }) {
  return (
    <div className="mt-5 overflow-x-auto border-t border-line pt-4">
      <table className="w-full text-left">
        <caption className="pb-2 text-left font-medium">{countWorkers(workers)}</caption>
        <thead className="text-quiet">
          <tr>
            <th scope="col" className="pr-4 font-normal">
              Worker
            </th>
            <th scope="col" className="pr-4 font-normal">
              State
            </th>
            {workerColumns.map((title) => (
              <th key={title} scope="col" className="pl-4 text-right font-normal whitespace-nowrap">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {workers.map((worker) => {
            const { name, state, isBad, figures } = makeWorkerRow(worker);
            return (
              <tr key={worker.worker}>
                <th scope="row" className="pr-4 font-normal">
                  <PlainText text={name} />
                </th>
                <td className={isBad ? 'pr-4 text-bad' : 'pr-4'}>
                  <PlainText text={state} />
                </td>
                {figures.map((figure, index) => (
                  <td key={workerColumns[index]} className="pl-4 text-right whitespace-nowrap">
                    {figure}
                  </td>
                ))}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** A run under way as a part of a row: a small bar, what is done, the time left and the score so far. */
export function LiveRowProgress({ run }: { readonly run: Pick<RunRow, 'id' | 'progress'> }) {
  const live = useLiveRun(run.id);
  const progress: RunProgress | LiveRun | undefined = live ?? run.progress;
  if (progress === undefined) return null;
  const { done, planned } = progress;
  const score =
    live === undefined ? run.progress?.score : live.scores.length === 1 && live.scores[0]?.estimate;
  const parts = [
    `${formatCount(done)}/${formatCount(planned)}`,
    ...(live?.timeLeftMs ? [`${formatTimeLeft(live.timeLeftMs)} left`] : []),
    ...(typeof score === 'number' ? [`so far ${formatPoints(score)} %`] : []),
  ];
  return (
    <span className="ml-2 inline-flex flex-wrap items-center gap-x-2 text-quiet sm:flex-nowrap sm:whitespace-nowrap">
      <ProgressBar done={done} planned={planned} label={`Attempts of ${run.id}`} className="h-1.5 w-16" />
      {parts.join(' · ')}
    </span>
  );
}

/** The notes on the state of a run: how an interrupted one is continued, and which run continues it. */
export function RunStateNote({ view }: { readonly view: RunView }) {
  const continuation = useContinuation(view.run.id);
  return (
    <div role="status">
      {view.state === 'interrupted' && (
        <p className="mb-4 max-w-3xl rounded-md border border-line bg-surface px-4 py-3">
          <span className="font-medium text-unsure">This run is interrupted.</span> Its answers are stored;
          this command asks only for the missing ones:
          <code className="mt-1 block font-mono break-words">{resumeCommand(view)}</code>
        </p>
      )}
      {continuation !== undefined && (
        <p className="mb-4 max-w-3xl rounded-md border border-accent bg-accent-soft px-4 py-3">
          A newer run continues this one:{' '}
          <Link to="/runs/$run" params={{ run: continuation }} className="link font-medium">
            {continuation}
          </Link>
        </p>
      )}
    </div>
  );
}

interface ProgressBarOptions {
  readonly done: number;
  readonly planned: number;
  readonly label: string;
  /** Its height and place. */
  readonly className: string;
}

/** A bar of how much is done. */
export function ProgressBar({ done, planned, label, className }: ProgressBarOptions) {
  const share = planned === 0 ? 0 : Math.min(1, done / planned);
  return (
    <div
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={planned}
      aria-valuenow={Math.min(done, planned)}
      className={`overflow-hidden rounded-full bg-line ${className}`}
    >
      <div
        className="h-full rounded-full bg-accent transition-[width] duration-700 ease-linear"
        style={{ width: `${share * 100}%` }}
      />
    </div>
  );
}
