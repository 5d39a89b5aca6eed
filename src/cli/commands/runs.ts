import { setTimeout as wait } from 'node:timers/promises';
import { TouchstoneError } from '../../errors.ts';
import { jsonDocument } from '../../lib/objects.ts';
import { formatRunList, type ListedRun } from '../../reporters/run-list.ts';
import { listRunStates, readProgress, withTrueStatus } from '../../queries/runs.ts';
import type { Store } from '../../stores/store.ts';
import { listenForInterrupts } from '../interrupts.ts';
import { openStore } from '../open-store.ts';
import { claimStdout, type Output, viewOfTerminal } from '../output.ts';

/** The options of `touchstone runs`, as the command line gives them. */
export interface RunsFlags {
  readonly store?: string;
  readonly json?: boolean;
  readonly limit?: number;
  readonly watch?: boolean;
}

/** `touchstone runs`: lists the runs that are kept, the newest first; with `--watch`, again whenever something happens. */
export async function runsCommand(flags: RunsFlags): Promise<number> {
  if (flags.watch === true && flags.json === true) {
    throw new TouchstoneError('usage-invalid', '`--watch` is for people, `--json` for programs.', {
      remedy: 'Leave out one of them; a program can call `touchstone runs --json` again.',
    });
  }
  const output = claimStdout();
  if (flags.watch === true) return await watchRuns(() => openStore(flags.store), output, flags.limit);
  const store = await openStore(flags.store);
  try {
    const runs = await listRunStates(store, flags.limit);
    const text =
      flags.json === true
        ? jsonDocument(runs.map(withTrueStatus))
        : formatRunList(runs, viewOfTerminal(false));
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
 * Prints the list of runs again whenever something in it has changed, with how far those are that are going on, until it
 * is interrupted. Gives the exit code.
 * @param openStore - Opens the store anew each time, since the first run may yet have to create it.
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
      // A large run takes long to count: most of the time is left to the process that works on it.
      const pauseMs = Math.max(leastPauseMs, 9 * countedMs);
      await wait(pauseMs, undefined, { signal: signals.stop }).catch(() => {}); // The loop sees the abort.
    }
    return 0;
  } finally {
    signals.release();
  }
}

/** The list, and how long it took to count what is going on. */
async function listOnce(store: Store, limit: number): Promise<{ text: string; countedMs: number }> {
  try {
    const runs = await listRunStates(store, limit);
    const startedAt = performance.now();
    const counted: ListedRun[] = [];
    for (const listed of runs) counted.push({ ...listed, progress: await readProgress(listed, store) });
    const countedMs = performance.now() - startedAt;
    return { text: formatRunList(counted, viewOfTerminal(false)), countedMs };
  } finally {
    await store.close();
  }
}
