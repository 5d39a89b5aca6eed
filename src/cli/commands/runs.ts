import { setTimeout as wait } from 'node:timers/promises';
import { TouchstoneError } from '../../core/errors.ts';
import { jsonDocument } from '../../core/lib/objects.ts';
import { formatRunList, type ListedRun, formatWorkers } from '../../look/reporters/run-list.ts';
import { readWorkers } from '../../evaluate/run/fleet/heartbeat.ts';
import { listRunHeads, listRunStates, readProgress, withTrueStatus } from '../../look/queries/runs.ts';
import type { Store } from '../../stores/store.ts';
import { listenForInterrupts } from '../interrupts.ts';
import { openStore } from '../open-store.ts';
import { claimStdout, type Output, viewOfTerminal } from '../output.ts';

/** The options of `touchstone runs`, as parsed from the command line. */
export interface RunsFlags {
  readonly store?: string;
  readonly json?: boolean;
  readonly limit?: number;
  readonly watch?: boolean;
}

/**
 * Runs `touchstone runs`: lists the stored runs, the newest first. With `--watch` the list is printed again whenever it
 * changes, with the workers of the runs under way. Returns the exit code.
 */
export async function runsCommand(flags: RunsFlags): Promise<number> {
  if (flags.watch === true && flags.json === true) {
    throw new TouchstoneError('usage-invalid', '`--watch` and `--json` cannot be used together.', {
      remedy: 'Leave out one of them; a program can call `touchstone runs --json` repeatedly.',
    });
  }
  const output = claimStdout();
  if (flags.watch === true) return await watchRuns(() => openStore(flags.store), output, flags.limit);
  const store = await openStore(flags.store);
  try {
    const { limit } = flags;
    const text =
      flags.json === true
        ? jsonDocument((await listRunStates(store, limit)).map(withTrueStatus))
        : formatRunList(await listRunHeads(store, { limit }), viewOfTerminal(false));
    await output.write(text);
    return 0;
  } finally {
    await store.close();
  }
}

const defaultRuns = 20;
const leastPauseMs = 1000;
const clearScreen = '\u001b[2J\u001b[H';

/**
 * Prints the list of runs, with the progress of those still running, again whenever it changes, until the user
 * interrupts it. Returns the exit code.
 * @param openStore - Opens the store. It is called for every listing, since the store may not exist before the first run.
 */
async function watchRuns(
  openStore: () => Promise<Store>,
  output: Output,
  limit = defaultRuns,
): Promise<number> {
  const signals = listenForInterrupts(() => {});
  const isTerminal = process.stdout.isTTY;
  let shown = '';
  try {
    while (!signals.stop.aborted) {
      const { text, countedMs } = await listOnce(await openStore(), limit);
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
async function listOnce(store: Store, limit: number): Promise<{ text: string; countedMs: number }> {
  try {
    const runs = await listRunHeads(store, { limit });
    const view = viewOfTerminal(false);
    const startedAt = performance.now();
    const counted: ListedRun[] = [];
    const fleets: string[] = [];
    for (const listed of runs) {
      const progress = await readProgress(listed, store);
      counted.push({ ...listed, progress });
      const run = listed.run.id;
      if (progress !== undefined)
        fleets.push(formatWorkers({ run, workers: await readWorkers(run, store) }, view));
    }
    const countedMs = performance.now() - startedAt;
    return { text: formatRunList(counted, view) + fleets.join(''), countedMs };
  } finally {
    await store.close();
  }
}
