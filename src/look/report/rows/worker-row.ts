import { formatTimeLeft } from '../../../core/lib/text/format-time-left.ts';
import type { WorkerView } from '../../../core/schema/api/worker-view.ts';
import { formatCount, formatMoney, formatPlural } from '../format.ts';

/** A worker as a row of a table: texts from the machine are among them, which are not to be trusted. */
export interface WorkerRow {
  readonly name: string;
  readonly state: string;
  /** True for a worker that does not help. */
  readonly isBad: boolean;
  /** The other cells, in the order of `workerColumns`. */
  readonly figures: readonly string[];
}

/** The titles of the figures of a worker. */
export const workerColumns = ['Done', 'In flight', 'To score', 'Spent', 'Memory', 'Held up'] as const;

/** Returns a worker as a row of a table. */
export function makeWorkerRow(worker: WorkerView): WorkerRow {
  const { machine, pid, state, done, inFlight, waiting, spent, rss, lagMs } = worker;
  return {
    name: `${machine} ${pid}`,
    state: describeState(worker),
    isBad: state === 'unfit' || state === 'silent',
    figures: [
      ...[done, inFlight, waiting].map(formatCount),
      formatMoney(spent),
      `${formatCount(Math.round(rss / 1e6))} MB`,
      `${formatCount(lagMs)} ms`,
    ],
  };
}

function describeState({ state, part, unfit, ageMs }: WorkerView): string {
  if (state === 'unfit') return `unfit: ${unfit}`;
  if (state === 'silent') return `silent for ${formatTimeLeft(ageMs)}`;
  return state === 'working' ? `questions ${part}` : 'looking for a part';
}

/** Counts the workers of a run in a few words, such as "8 workers, 1 of them silent". */
export function countWorkers(workers: readonly WorkerView[]): string {
  const bad = (['unfit', 'silent'] as const).flatMap((state) => {
    const count = workers.filter((worker) => worker.state === state).length;
    return count === 0 ? [] : [`${formatCount(count)} of them ${state}`];
  });
  return [formatPlural(workers.length, 'worker'), ...bad].join(', ');
}
