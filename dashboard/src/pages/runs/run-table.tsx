import { formatMoney, formatTime, missing } from '../../../../src/report/format.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { OutcomeMark } from '../../parts/outcome-mark.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import {
  Commit,
  linesOf,
  measuredText,
  PickBox,
  type RunLine,
  type RunListOptions,
  RunName,
  RunScore,
} from './run-cells.tsx';

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
              {formatTime(run.createdAt)} · <PlainText text={run.dataset.sources.join(', ')} />{' '}
              <Commit git={run.git} />
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
    cell: ({ target }) => (
      <span className="block min-w-32 wrap-anywhere">
        <PlainText text={target} />
      </span>
    ),
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
    title: 'Started (UTC)',
    cell: ({ run, isFirst }) =>
      isFirst && (
        <span className="whitespace-nowrap text-quiet">{formatTime(run.createdAt).replace(' UTC', '')}</span>
      ),
  },
  {
    title: 'Dataset',
    cell: ({ run: { dataset }, isFirst }) =>
      isFirst && (
        <span className="block w-28 truncate min-[1400px]:w-44 text-quiet">
          <PlainText text={dataset.sources.map(shortPath).join(', ')} />
        </span>
      ),
  },
  // The page of a run has it, too: there is no room for it on a usual screen.
  { title: 'Commit', isForWide: true, cell: ({ run: { git }, isFirst }) => isFirst && <Commit git={git} /> },
];

/** Returns the name of a file with its folder, which is what fits; the page of the run has the whole path. */
function shortPath(path: string): string {
  return path.split('/').slice(-2).join('/');
}
