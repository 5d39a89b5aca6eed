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

/** The runs, the newest first, one line for each target. */
export function RunTable({ runs }: { readonly runs: readonly RunRow[] }) {
  const lines = runs.flatMap((run) =>
    run.targets.map((target, index): Line => ({ run, target, isFirst: index === 0 })),
  );
  return (
    <DataTable
      label="Runs"
      columns={columns}
      rows={lines}
      keyOf={({ run, target }) => `${run.id} ${target.target}`}
    />
  );
}

const columns: readonly Column<Line>[] = [
  {
    title: 'Run',
    isName: true,
    cell: ({ run, isFirst }) =>
      isFirst && (
        <Link to="/runs/$run" params={{ run: run.id }} className="link whitespace-nowrap">
          <PlainText text={run.description ?? run.id} />
        </Link>
      ),
  },
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
      {score !== null && run.hasScorecard && <ScoreText estimate={score} />}{' '}
      <span className="text-unsure">{stateWords[run.state]}</span>
      <LiveRowProgress run={run} />
    </span>
  );
}
