import { setTimeout as wait } from 'node:timers/promises';
import { TouchstoneError } from '../../core/errors.ts';
import {
  formatRunList,
  type ListedRun,
  formatWaiting,
  formatWorkers,
} from '../../look/reporters/run-list.ts';
import { readWorkers } from '../../evaluate/run/fleet/heartbeat.ts';
import { readWaiting } from '../../evaluate/run/fleet/waiting-report.ts';
import { listRunHeads, readProgress } from '../../look/queries/runs.ts';
import type { Store } from '../../stores/store.ts';
import { listenForInterrupts } from '../interrupts.ts';
import { withStore } from '../../library/api/open-store.ts';
import type { Output } from '../output.ts';

const defaultRuns = 20;
const leastPauseMs = 1000;
const clearScreen = '\u001b[2J\u001b[H';

/**
 * Prints the list of runs, with the progress of those still running, again whenever it changes, until the user
 * interrupts it. Returns the exit code.
 */
export async function watchRunList(
  { store, ...query }: { readonly store?: string; readonly filter?: string[]; readonly limit?: number },
  output: Output,
): Promise<number> {
  const signals = listenForInterrupts(() => {});
  const isTerminal = process.stdout.isTTY;
  let shown = '';
  try {
    while (!signals.stop.aborted) {
      // Opened for every listing, since the store may not exist before the first run.
      const { text, countedMs } = await withStore({ store }, (opened) =>
        listOnce(opened, output, query),
      ).catch((error: unknown) => {
        if (!(error instanceof TouchstoneError) || error.code !== 'store-not-found') throw error;
        return { text: formatRunList([], output.view()), countedMs: 0 };
      });
      if (text !== shown) await output.write(`${isTerminal ? clearScreen : shown === '' ? '' : '\n'}${text}`);
      shown = text;
      // Counting a large run takes long: nine tenths of the time are left to the process that makes the run.
      const pauseMs = Math.max(leastPauseMs, 9 * countedMs);
      await wait(pauseMs, undefined, { signal: signals.stop }).catch(() => {}); // The loop sees the abort.
    }
    return 0;
  } finally {
    signals.release();
  }
}

/** Returns the text of the list, and the milliseconds it took to count the progress of active runs. */
async function listOnce(
  store: Store,
  output: Output,
  { limit = defaultRuns, filter: where }: { readonly filter?: readonly string[]; readonly limit?: number },
): Promise<{ text: string; countedMs: number }> {
  const runs = await listRunHeads(store, { limit, where });
  const view = output.view();
  const startedAt = performance.now();
  const counted: ListedRun[] = [];
  const fleets: string[] = [];
  for (const listed of runs) {
    const progress = await readProgress(listed, store);
    counted.push({ ...listed, progress });
    const run = listed.run.id;
    if (progress === undefined) continue;
    fleets.push(
      formatWaiting({ run, waiting: await readWaiting(run, store) }, view),
      formatWorkers({ run, workers: await readWorkers(run, store) }, view),
    );
  }
  const countedMs = performance.now() - startedAt;
  return { text: formatRunList(counted, view) + fleets.join(''), countedMs };
}
