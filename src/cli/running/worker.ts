import { formatPlural } from '../../look/report/format.ts';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { withWritableStore } from '../../library/api/open-store.ts';
import { loadJoined } from '../../library/api/runs/load-joined.ts';
import { messageOf } from '../../core/errors.ts';
import { createLocalExecutor } from '../../evaluate/executors/local.ts';
import { createPooledExecutor } from '../../evaluate/executors/pooled.ts';
import { displayPath } from '../../core/lib/text/display-path.ts';
import { toTerminalText } from '../../core/lib/text/terminal-text.ts';
import { createSharedRateLimiter } from '../../evaluate/models/account/shared/shared-rate-limiter.ts';
import { findRun } from '../../look/queries/runs.ts';
import { workOnRun } from '../../evaluate/run/fleet/work.ts';
import { createSharedLimits } from '../../evaluate/run/limits/shared/shared-limits.ts';
import type { Run } from '../../core/schema/run.ts';
import { isPassing } from '../../stores/postgres/explain-fault.ts';
import type { Store } from '../../stores/store.ts';
import { withWorkerTelemetry } from '../../exchange/telemetry/with-telemetry.ts';
import { readEnvironment } from '../fleet/environment.ts';
import { queueOf, spoolOf } from '../fleet/local-fleet.ts';
import { isAway, mayPass, waitUntilBack, whenReachable } from '../fleet/wait-for-store.ts';
import { createPassingObserver, listenToParent } from '../fleet/worker-messages.ts';
import { interrupted, listenForTermination } from '../interrupts.ts';
import { type TelemetryFlags, telemetryOf } from './telemetry-flags.ts';
import { createProgressLines } from '../progress-lines.ts';
import { surviveTargetFaults } from '../stray-faults.ts';
import { beginAsked } from './asked/begin-asked.ts';
import { judgeCacheOf, type RunFlags } from './run.ts';
import { waitForRuns } from './wait-for-runs.ts';

/** The work of a worker, and its surroundings. */
interface WorkerFlags
  extends Pick<RunFlags, 'judgeSamples' | 'cache' | 'store' | 'queue' | 'spool'>,
    TelemetryFlags {
  readonly run: string;
  /** True to work on one run after the other until a signal, in place of the one that is named. */
  readonly wait?: boolean;
  readonly config?: string;
  /** The milliseconds that calls in flight have after a signal. */
  readonly stopWithin?: number;
  /** The port on which it says that it is alive. */
  readonly healthPort?: number;
  readonly healthHost?: string;
}

/** The milliseconds that calls in flight have after a signal: as long as Kubernetes waits before it kills. */
const usualStopWithinMs = 30_000;

/** Makes and scores trials of a run that another process has begun, until all are done, or of all such runs. Returns the exit code. */
export async function joinRun({ run: runId, ...flags }: WorkerFlags): Promise<number> {
  const note = (message: string) => console.error(toTerminalText(message));
  const signals = listenForTermination(note, flags.stopWithin ?? usualStopWithinMs);
  const health = await openHealth(flags);
  const { stop, abort } = process.connected ? listenToParent(signals) : signals;
  const place =
    flags.store === undefined
      ? { folder: process.cwd(), config: flags.config ?? '.' }
      : { store: flags.store };
  const release = surviveTargetFaults(note);
  try {
    stop.addEventListener('abort', () => health?.set('stopping'));
    const working = { flags, note, signals: { stop, abort }, health };
    return await withWritableStore(place, async (store) => {
      if (flags.wait !== true) {
        const wasStopped = await work(store, runId, working);
        return stop.aborted || wasStopped ? interrupted : 0;
      }
      await waitForWork(store, working);
      return 0;
    });
  } finally {
    release();
    signals.release();
    await health?.close();
    if (process.connected) process.disconnect();
  }
}

/** Helps with runs that others begin, and begins those that are asked for on a server, until it is stopped or one of the two fails. */
async function waitForWork(store: Store, working: Working): Promise<void> {
  const { flags, note, signals, health } = working;
  const failed = new AbortController();
  const stop = AbortSignal.any([signals.stop, failed.signal]);
  const { config, store: storeName } = flags;
  const onReady = () => health?.set('ready');
  const parts = [
    waitForRuns(store, { note, stop, onReady, work: async (run) => await work(store, run, working) }),
    beginAsked(store, { worker: randomUUID(), config, storeName, note, stop, abort: signals.abort }),
  ];
  const end = parts.map(async (part) => await part.finally(() => failed.abort()));
  for (const result of await Promise.allSettled(end)) if (result.status === 'rejected') throw result.reason;
}

interface Working {
  readonly flags: Omit<WorkerFlags, 'run'>;
  readonly note: (message: string) => void;
  readonly signals: Parameters<typeof workOnRun>[2]['signals'];
  readonly health: Health | undefined;
}

/** Works on a run. Returns whether the run was stopped by the process that began it. */
async function work(
  store: Store,
  runId: string,
  { flags, note, signals, health }: Working,
): Promise<boolean> {
  const { stop } = signals;
  const run = await whenReachable(async () => await findRun(store, runId), { note, stop, isAway: isPassing });
  if (run.status === 'completed') note(`Run ${run.id} is complete: nothing is left to ask.`);
  const worker = randomUUID();
  await using rateLimiter = createSharedRateLimiter(store.shared, worker);
  const { evaluation, config } = await loadJoined(flags.config, run, {
    overrides: { judgeSamples: flags.judgeSamples, ...judgeCacheOf(flags) },
    rateLimiter,
  });
  // A process that has just died cannot be written to, which must not end the calls in flight: `disconnect` follows.
  const ignoreFault = () => {};
  const send = (messages: unknown) =>
    void (process.connected && process.send?.(messages, undefined, undefined, ignoreFault));
  using passing = process.connected ? createPassingObserver(send) : undefined;
  const observer = passing ?? createLines();
  const needs = {
    store,
    executor: createPooledExecutor(createLocalExecutor()),
    createLimits: createSharedLimits({ records: store.shared, worker, mayPass }),
    ...queueOf(flags),
    ...spoolOf(flags),
    environment: await readEnvironment(),
    observer,
    signals,
    worker,
    onFit: () => health?.set('ready'),
  };
  const wasStopped = await withWorkerTelemetry(
    telemetryOf(flags, config.telemetry),
    observer,
    async (watched) => {
      const watching = { ...needs, observer: watched };
      const workNow = async () => await workOnRun(run.id, evaluation, watching);
      return await workThroughOutages(workNow, { ...needs, note, stop: signals.stop, run });
    },
  );
  if (wasStopped) note(`Run ${run.id} was stopped by the process that began it.`);
  return wasStopped;
}

/** The surroundings of a worker that may have to wait for its store. */
interface Outage extends Pick<Working, 'note'> {
  readonly store: Store;
  readonly run: Run;
  readonly stop: AbortSignal;
  readonly spool: string;
}

/** Works, and begins again whenever the store has been away for so long that the work has failed. */
async function workThroughOutages<Result>(
  workNow: () => Promise<Result>,
  { note, stop, store, run, spool }: Outage,
): Promise<Result> {
  const kept = `Answers that it could not store are saved in ${displayPath(spool)}.`;
  for (;;) {
    try {
      return await workNow();
    } catch (error) {
      if (!isAway(error)) throw error;
      if (stop.aborted) {
        note(`${messageOf(error)} This worker ends. ${kept}`);
        throw error;
      }
      await waitUntilBack(async () => await store.readRun(run.id), error, { note, stop, isAway, kept });
    }
  }
}

/** The port on which a worker says how it is, for the program that watches over it. */
interface Health {
  set(state: 'ready' | 'stopping'): void;
  close(): Promise<void>;
}

/**
 * Opens the port of `--health-port`, if there is one. `/healthz` answers 200 as long as the process is alive, and `/healthz/ready` from
 * the time when it is certain that it evaluates as the run does, until it has to stop, else 503. Throws `port-unavailable`.
 */
async function openHealth({
  healthPort,
  healthHost,
}: Pick<WorkerFlags, 'healthPort' | 'healthHost'>): Promise<Health | undefined> {
  if (healthPort === undefined) return undefined;
  let state: 'starting' | 'ready' | 'stopping' = 'starting';
  const { createServer } = process.getBuiltinModule('node:http');
  const server = createServer((request, response) => {
    const isReadiness = request.url === '/healthz/ready';
    const isKnown = request.method === 'GET' && (isReadiness || request.url === '/healthz');
    const status = !isKnown ? 404 : isReadiness && state !== 'ready' ? 503 : 200;
    response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
    response.end(isKnown ? JSON.stringify({ state }) : undefined);
  });
  const { listenOn } = await import('../../server/serve.ts');
  await listenOn(server, { port: healthPort, host: healthHost });
  server.unref();
  return {
    set: (now) => {
      state = now;
    },
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The milliseconds between two lines of progress. */
const lineEveryMs = 10_000;

/** Creates the observer of a worker that was started by hand: a line from time to time. */
function createLines() {
  const lines = createProgressLines(lineEveryMs);
  let scored = 0;
  return {
    onNotice: ({ message }: { readonly message: string }) => lines.note(message),
    onScored: (trials: readonly unknown[]) => {
      scored += trials.length;
      lines.show(() => `${formatPlural(scored, 'attempt')} made and scored by this worker`);
    },
  };
}
