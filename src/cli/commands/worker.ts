import { randomUUID } from 'node:crypto';
import { withWritableStore } from '../../api/open-store.ts';
import { conditionsOfRun } from '../../config/conditions/condition-setting.ts';
import { loadEvaluation } from '../../config/load-evaluation.ts';
import { createLocalExecutor } from '../../executors/local.ts';
import { toTerminalText } from '../../lib/text/terminal-text.ts';
import { createSharedRateLimiter } from '../../models/account/shared/shared-rate-limiter.ts';
import { findRun } from '../../queries/runs.ts';
import { workOnRun } from '../../run/fleet/work.ts';
import { createSharedLimits } from '../../run/limits/shared/shared-limits.ts';
import { withoutConditions } from '../../schema/condition.ts';
import type { Run } from '../../schema/run.ts';
import type { Store } from '../../stores/store.ts';
import { queueOf } from '../fleet/local-fleet.ts';
import { createPassingObserver, listenToParent } from '../fleet/worker-messages.ts';
import { interrupted, listenForInterrupts } from '../interrupts.ts';
import { openWritableStore } from '../open-store.ts';
import { judgeCacheOf, type RunFlags } from './run.ts';

/** The options of `touchstone worker`, as parsed from the command line. */
export type WorkerFlags = Pick<RunFlags, 'judgeSamples' | 'cache' | 'store' | 'queue'> & {
  readonly config?: string;
};

/**
 * Runs `touchstone worker RUN`: makes and scores trials of a run that another process has begun, until all are done. Returns the
 * exit code.
 */
export async function workerCommand(given: string, flags: WorkerFlags): Promise<number> {
  const note = (message: string) => console.error(toTerminalText(message));
  const signals = listenForInterrupts(note);
  const { stop, abort } = process.connected ? listenToParent(signals) : signals;
  const place =
    flags.store === undefined
      ? { folder: process.cwd(), config: flags.config ?? '.' }
      : { store: await openWritableStore(flags.store) };
  try {
    await withWritableStore(
      place,
      async (store) => await work(store, given, { flags, note, signals: { stop, abort } }),
    );
    return stop.aborted ? interrupted : 0;
  } finally {
    await place.store?.close();
    signals.release();
    if (process.connected) process.disconnect();
  }
}

interface Working {
  readonly flags: WorkerFlags;
  readonly note: (message: string) => void;
  readonly signals: Parameters<typeof workOnRun>[2]['signals'];
}

async function work(store: Store, given: string, { flags, note, signals }: Working): Promise<void> {
  const run = await findRun(store, given);
  const worker = randomUUID();
  await using rateLimiter = createSharedRateLimiter(store.shared, worker);
  const { evaluation } = await loadEvaluation(flags.config, {
    overrides: {
      ...overridesOf(run),
      judgeSamples: flags.judgeSamples,
      ...judgeCacheOf(flags),
    },
    targetNames: withoutConditions(run.targets).map(({ name }) => name),
    rateLimiter,
  });
  const send = (message: unknown) => void (process.connected && process.send?.(message));
  const observer = process.connected ? createPassingObserver(send) : createLines(note);
  await workOnRun(
    run.id,
    { ...evaluation, settings: run.settings },
    {
      store,
      executor: createLocalExecutor(),
      createLimits: createSharedLimits(store.shared, worker),
      ...queueOf(flags),
      observer,
      signals,
      worker,
    },
  );
}

/** Returns the settings of a run that its command line may have changed. */
function overridesOf(run: Run) {
  const { attempts, caseRule, seed } = run;
  return {
    ...conditionsOfRun(run),
    attempts,
    seed,
    ...(caseRule !== undefined && { passes: caseRule.passes, curtail: caseRule.isCurtailed }),
  };
}

/** The milliseconds between two lines of progress. */
const lineEveryMs = 10_000;

/** Creates the observer of a worker that was started by hand: a line from time to time. */
function createLines(note: (message: string) => void) {
  let [scored, shownAt] = [0, performance.now()];
  return {
    onNotice: ({ message }: { readonly message: string }) => note(message),
    onScored: (trials: readonly unknown[]) => {
      scored += trials.length;
      if (performance.now() - shownAt < lineEveryMs) return;
      shownAt = performance.now();
      note(`${scored} trials made and scored by this worker`);
    },
  };
}
