import { Link } from '@tanstack/react-router';
import { formatCount, formatMoney, formatTime, missing, shortCommit } from '../../../../src/report/format.ts';
import { stateWords } from '../../../../src/report/run-row.ts';
import type { RunRow } from '../../../../src/schema/api/run-row.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { LiveRowProgress } from '../../parts/live-progress.tsx';
import { OutcomeMark } from '../../parts/outcome-mark.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { ScoreText } from '../../parts/score-text.tsx';

/** A run, or one target of a run of several. */
interface Line {
  readonly run: RunRow;
  readonly target: RunRow['targets'][number];
  /** True for the first line of a run, which has what concerns all of its targets. */
  readonly isFirst: boolean;
}

/** The options of {@link RunTable}. */
interface RunTableOptions {
  readonly runs: readonly RunRow[];
  readonly baselines: readonly { readonly name: string; readonly run: string }[];
  /** The ids of the picked runs. */
  readonly picked: readonly string[];
  /** Called with the id of a run that is picked, or no longer. */
  readonly onPick: (id: string) => void;
}

/** The runs, the newest first, one line for each target. */
export function RunTable({ runs, baselines, picked, onPick }: RunTableOptions) {
  const lines = runs.flatMap((run) =>
    run.targets.map((target, index): Line => ({ run, target, isFirst: index === 0 })),
  );
  const pickColumn: Column<Line> = {
    title: 'Pick',
    hidesTitle: true,
    cell: ({ run: { id }, isFirst }) =>
      isFirst && (
        <input
          type="checkbox"
          aria-label={`Pick ${id}`}
          checked={picked.includes(id)}
          onChange={() => onPick(id)}
          className="block size-4 accent-accent"
        />
      ),
  };
  const runColumn: Column<Line> = {
    title: 'Run',
    isName: true,
    cell: ({ run: { id }, isFirst }) =>
      isFirst && (
        <span className="whitespace-nowrap">
          <Link to="/runs/$run" params={{ run: id }} data-row className="link">
            {id}
          </Link>
          {baselines
            .filter(({ run }) => run === id)
            .map(({ name }) => (
              <span key={name} className="ml-2 rounded bg-accent-soft px-1.5 py-0.5 text-xs text-accent">
                baseline <PlainText text={name} />
              </span>
            ))}
        </span>
      ),
  };
  return (
    <DataTable
      label="Runs"
      columns={[pickColumn, runColumn, ...columns]}
      rows={lines}
      keyOf={({ run, target }) => `${run.id} ${target.target}`}
      continues={({ isFirst }) => !isFirst}
    />
  );
}

const columns: readonly Column<Line>[] = [
  { title: 'Target', cell: ({ target: { target } }) => <PlainText text={target} /> },
  { title: 'Score', cell: (line) => <Score {...line} /> },
  {
    title: 'n',
    align: 'right',
    isOptional: true,
    cell: ({ target: { measured, needed } }) => `${formatCount(measured)}/${formatCount(needed)}`,
  },
  {
    title: 'Gate',
    cell: ({ run: { decision }, isFirst }) =>
      isFirst && decision?.isGated === true && <OutcomeMark outcome={decision.outcome} />,
  },
  {
    title: 'Cost',
    align: 'right',
    isOptional: true,
    cell: ({ run: { cost }, isFirst }) => isFirst && (cost === null ? missing : formatMoney(cost)),
  },
  {
    title: 'Started',
    isOptional: true,
    cell: ({ run, isFirst }) =>
      isFirst && <span className="whitespace-nowrap text-quiet">{formatTime(run.createdAt)}</span>,
  },
  {
    title: 'Dataset',
    isOptional: true,
    cell: ({ run: { dataset }, isFirst }) =>
      isFirst && (
        <span className="text-quiet">
          <PlainText text={dataset.sources.join(', ')} />
        </span>
      ),
  },
  {
    title: 'Commit',
    isOptional: true,
    cell: ({ run: { git }, isFirst }) =>
      isFirst &&
      git !== undefined && (
        <span className="whitespace-nowrap text-quiet">
          <span className="font-mono">
            {shortCommit(git)}
            {git.dirty === true ? '*' : ''}
          </span>{' '}
          <PlainText text={git.branch ?? ''} />
        </span>
      ),
  },
];

function Score({ run, target: { score } }: Line) {
  if (score !== null && run.state === 'completed') {
    return run.hasScorecard ? (
      <ScoreText estimate={score} />
    ) : (
      <span className="text-quiet">no scorecard</span>
    );
  }
  return (
    <span className="whitespace-nowrap">
      {typeof score?.value === 'number' && run.hasScorecard && <ScoreText estimate={score} />}{' '}
      <span className="text-unsure">{stateWords[run.state]}</span>
      <LiveRowProgress run={run} />
    </span>
  );
}
