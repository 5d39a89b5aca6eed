import { Link } from '@tanstack/react-router';
import { formatCount, shortCommit } from '../../../../src/report/format.ts';
import { stateWords } from '../../../../src/report/run-row.ts';
import type { RunRow } from '../../../../src/schema/api/run-row.ts';
import { LiveRowProgress } from '../../parts/live-progress.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { ScoreText } from '../../parts/score-text.tsx';

// What the table of runs and, on a narrow screen, the cards of runs show.

/** The options of {@link RunTable} and {@link RunCards}. */
export interface RunListOptions {
  readonly runs: readonly RunRow[];
  readonly baselines: readonly { readonly name: string; readonly run: string }[];
  /** The ids of the picked runs. */
  readonly picked: readonly string[];
  /** Called with the id of a run that is picked, or no longer. */
  readonly onPick: (id: string) => void;
}

/** A run, or one target of a run of several. */
export interface RunLine {
  readonly run: RunRow;
  readonly target: string;
  /** The headline of the target; undefined until the run has a summary. */
  readonly headline: NonNullable<RunRow['headlines']>[number] | undefined;
  /** True for the first line of a run, which has what concerns all of its targets. */
  readonly isFirst: boolean;
}

/** Returns the lines of a run, one for each target. */
export function linesOf(run: RunRow): RunLine[] {
  return run.targets.map((target, index) => ({
    run,
    target,
    headline: run.headlines?.find((each) => each.target === target),
    isFirst: index === 0,
  }));
}

/** The checkbox that picks a run. */
export function PickBox({ run: { id }, picked, onPick }: PickBoxOptions) {
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
export function RunName({ run: { id }, baselines }: RunNameOptions) {
  return (
    <span className="inline-flex flex-wrap items-baseline gap-x-2">
      <Link to="/runs/$run" params={{ run: id }} data-row className="link whitespace-nowrap">
        {id}
      </Link>
      {baselines
        .filter(({ run }) => run === id)
        .map(({ name }) => (
          <span key={name} className="rounded bg-accent-soft px-1.5 py-0.5 text-xs text-accent">
            baseline <PlainText text={name} />
          </span>
        ))}
    </span>
  );
}

interface RunNameOptions extends Pick<RunListOptions, 'baselines'> {
  readonly run: RunRow;
}

/** The score of a target, or the state of a run that is not completed. */
export function RunScore({ run, headline }: RunLine) {
  const hasScore = headline !== undefined && run.passMark !== null;
  if (run.state === 'completed' && headline !== undefined) {
    return hasScore ? (
      <ScoreText estimate={headline.score} />
    ) : (
      <span className="text-quiet">no scorecard</span>
    );
  }
  return (
    <span className="sm:whitespace-nowrap">
      {hasScore && headline.score.value !== null && <ScoreText estimate={headline.score} />}{' '}
      <span className="text-unsure">{stateWords[run.state]}</span>
      <LiveRowProgress run={run} />
    </span>
  );
}

/** Returns the trials of a target that have a score, of those that should have one. */
export function measuredText({ run, headline }: RunLine): string {
  const { measured, planned } = headline?.counts ?? {
    measured: 0,
    planned: run.dataset.cases * run.attempts,
  };
  return `${formatCount(measured)}/${formatCount(planned)}`;
}

/** The commit of a run, with a star when there were changes beside it, and its branch. */
export function Commit({ git }: Pick<RunRow, 'git'>) {
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
