import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import {
  formatDuration,
  formatMoney,
  missing,
  formatCount,
  shortCommit,
} from '../../../../src/look/report/format.ts';
import { describeFailedAgain } from '../../../../src/look/report/score-in-words.ts';
import { stateWords } from '../../../../src/look/report/rows/run-row.ts';
import type { RunRow } from '../../../../src/core/schema/api/run-row.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { OutcomeMark } from '../../parts/outcome-mark.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import { ReviewedValueText } from '../../parts/score-text.tsx';

/** Loaded for a run under way. */
const LiveRowProgress = lazy(async () => ({
  default: (await import('../../parts/live-progress.tsx')).LiveRowProgress,
}));

/** The runs, the newest first, one line for each target. */
export function RunTable({ runs, baselines, picked, onPick }: RunListOptions) {
  const pickColumn: Column<RunLine> = {
    title: 'Pick',
    hidesTitle: true,
    cell: ({ run, isFirst }) => isFirst && <PickBox run={run} picked={picked} onPick={onPick} />,
  };
  const runColumn: Column<RunLine> = {
    title: 'Run',
    isName: true,
    cell: ({ run, isFirst }) => isFirst && <RunName run={run} baselines={baselines} />,
  };
  return (
    <DataTable
      label="Runs"
      columns={[pickColumn, runColumn, ...columns]}
      rows={runs.flatMap(linesOf)}
      keyOf={({ run, target }) => `${run.id} ${target}`}
      continues={({ isFirst }) => !isFirst}
    />
  );
}

/** The runs as cards, for a narrow screen. */
export function RunCards({ runs, baselines, picked, onPick }: RunListOptions) {
  return (
    <ul aria-label="Runs" className="divide-y divide-line border-y border-line">
      {runs.map((run) => (
        <li key={run.id} className="grid grid-cols-[2rem_1fr] py-3">
          <PickBox run={run} picked={picked} onPick={onPick} />
          <div className="min-w-0 space-y-1">
            <div className="flex flex-wrap items-baseline justify-between gap-x-3">
              <RunName run={run} baselines={baselines} />
              {run.decision?.isGated === true && <OutcomeMark outcome={run.decision.outcome} />}
            </div>
            {linesOf(run).map((line) => (
              <div key={line.target} className="flex flex-wrap items-baseline justify-between gap-x-3">
                <PlainText text={line.target} />
                <span>
                  <RunScore {...line} />{' '}
                  {line.headline !== undefined && (
                    <span className="text-quiet">n = {measuredText(line)}</span>
                  )}
                </span>
              </div>
            ))}
            <p className="text-xs text-quiet">
              <TimeText at={run.createdAt} /> · <PlainText text={run.dataset.sources.join(', ')} />
            </p>
          </div>
        </li>
      ))}
    </ul>
  );
}

const columns: readonly Column<RunLine>[] = [
  {
    title: 'Target',
    cell: ({ target }) => <PlainText text={target} className="block min-w-32 wrap-anywhere" />,
  },
  { title: 'Score', cell: (line) => <RunScore {...line} /> },
  { title: 'n', align: 'right', cell: measuredText },
  {
    title: 'Gate',
    cell: ({ run: { decision }, isFirst }) =>
      isFirst && decision?.isGated === true && <OutcomeMark outcome={decision.outcome} />,
  },
  {
    title: 'Cost',
    align: 'right',
    cell: ({ run: { cost }, isFirst }) => isFirst && (cost === null ? missing : formatMoney(cost)),
  },
  {
    title: 'Started',
    cell: ({ run, isFirst }) =>
      isFirst && (
        <span className="whitespace-nowrap text-quiet">
          <TimeText at={run.createdAt} />
        </span>
      ),
  },
  {
    title: 'Dataset',
    cell: ({ run: { dataset }, isFirst }) =>
      isFirst && (
        <span className="block w-28 truncate min-[1400px]:w-44 text-quiet" title={dataset.sources.join(', ')}>
          <PlainText text={dataset.sources.map(shortPath).join(', ')} />
        </span>
      ),
  },
];

/** Returns the name of a file with its folder, which is what fits; the page of the run has the whole path. */
function shortPath(path: string): string {
  return path.split('/').slice(-2).join('/');
}

// What the table of runs and, on a narrow screen, the cards of runs show.

interface RunListOptions {
  readonly runs: readonly RunRow[];
  readonly baselines: readonly { readonly name: string; readonly run: string }[];
  /** The ids of the picked runs. */
  readonly picked: readonly string[];
  /** Called with the id of a run that is picked, or no longer. */
  readonly onPick: (id: string) => void;
}

/** A run, or one target of a run of several. */
interface RunLine {
  readonly run: RunRow;
  readonly target: string;
  /** The headline of the target; undefined until the run has a summary. */
  readonly headline: NonNullable<RunRow['headlines']>[number] | undefined;
  /** True for the first line of a run, which has what concerns all of its targets. */
  readonly isFirst: boolean;
}

/** Returns the lines of a run, one for each target. */
function linesOf(run: RunRow): RunLine[] {
  return run.targets.map((target, index) => ({
    run,
    target,
    headline: run.headlines?.find((each) => each.target === target),
    isFirst: index === 0,
  }));
}

/** The checkbox that picks a run. */
function PickBox({ run: { id }, picked, onPick }: PickBoxOptions) {
  return (
    <input
      type="checkbox"
      aria-label={`Pick ${id}`}
      checked={picked.includes(id)}
      onChange={() => onPick(id)}
      className="block size-4 accent-accent"
    />
  );
}

interface PickBoxOptions extends Pick<RunListOptions, 'picked' | 'onPick'> {
  readonly run: RunRow;
}

/** The link to a run, with the baselines that name it. */
function RunName({ run, baselines }: RunNameOptions) {
  const { id, name = '', note, tags = {}, description } = run;
  // A name that was imported may be one that cannot be seen.
  const hasName = name.trim() !== '';
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-2">
      <Link
        to="/runs/$run"
        params={{ run: id }}
        data-row
        className={hasName ? 'link font-medium wrap-anywhere' : 'link whitespace-nowrap'}
      >
        <PlainText text={hasName ? name : id} />
      </Link>
      {hasName && <span className="text-xs whitespace-nowrap text-quiet">{id}</span>}
      {Object.entries(tags).map(([key, value]) => (
        <span key={key} className="rounded bg-mark px-1.5 py-0.5 text-xs text-text">
          <PlainText text={`${key}=${value}`} />
        </span>
      ))}
      {baselines
        .filter((each) => each.run === id)
        .map((each) => (
          <span key={each.name} className="rounded bg-accent-soft px-1.5 py-0.5 text-xs text-accent">
            baseline <PlainText text={each.name} />
          </span>
        ))}
      <Facts run={run} />
      {description !== undefined && (
        <PlainText text={description} className="basis-full text-xs text-quiet wrap-anywhere" />
      )}
      {note !== undefined && (
        <PlainText text={note} className="basis-full text-xs text-quiet wrap-anywhere" />
      )}
    </span>
  );
}

interface RunNameOptions extends Pick<RunListOptions, 'baselines'> {
  readonly run: RunRow;
}

/** The score of a target, or the state of a run that is not completed. */
function RunScore({ run, headline }: RunLine) {
  const hasScore = headline !== undefined && run.passMark !== null;
  if (headline?.failedAgain !== undefined) return describeFailedAgain(headline.failedAgain);
  if (run.state === 'completed' && headline !== undefined) {
    return hasScore ? (
      <>
        <ReviewedValueText {...headline} value={headline.score} />
        {run.unread !== undefined && <span className="text-unsure"> {run.unread.join('; ')}</span>}
      </>
    ) : (
      <span className="text-quiet">no scorecard</span>
    );
  }
  return (
    <span className="sm:whitespace-nowrap">
      {hasScore && headline.score.value !== null && (
        <ReviewedValueText {...headline} value={headline.score} />
      )}{' '}
      <span className="text-unsure">{stateWords[run.state]}</span>
      <Suspense>
        <LiveRowProgress run={run} />
      </Suspense>
    </span>
  );
}

/** Returns the trials of a target that have a score, of those that should have one. */
function measuredText({ headline }: RunLine): string {
  // Of a run under way, the progress says how many trials are done.
  if (headline === undefined) return missing;
  const { measured, planned } = headline.counts;
  return `${formatCount(measured)}/${formatCount(planned)}`;
}

/** The facts by which runs differ, next to their names: the code, the number of attempts, and the time that it took. */
function Facts({ run: { git, attempts, createdAt, finishedAt, importedAt } }: { readonly run: RunRow }) {
  const durationMs =
    importedAt === undefined ? Date.parse(finishedAt ?? '') - Date.parse(createdAt) : Number.NaN;
  const facts = [
    ...(attempts > 1 ? [`${attempts} attempts`] : []),
    ...(durationMs >= 0 ? [formatDuration(durationMs)] : []),
  ];
  if (git === undefined && facts.length === 0) return null;
  return (
    <span className="flex basis-full flex-wrap gap-x-1 text-xs text-quiet">
      <Commit git={git} />
      {git !== undefined && facts.length > 0 && ' · '}
      {facts.join(' · ')}
    </span>
  );
}

/** The commit of a run, with a star when there were changes next to it, and its branch. */
function Commit({ git }: Pick<RunRow, 'git'>) {
  if (git === undefined) return null;
  return (
    <span className="whitespace-nowrap text-quiet">
      <span className="font-mono">
        {shortCommit(git)}
        {git.dirty === true ? '*' : ''}
      </span>{' '}
      <PlainText text={git.branch ?? ''} />
    </span>
  );
}
