import { hostname } from 'node:os';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { WorkerView } from '../../../core/schema/api/worker-view.ts';
import type { Store } from '../../../stores/store.ts';
import { touchstoneVersion } from '../../../core/own-package.ts';
import { createSpendingTally } from '../limits/budget.ts';
import type { StopSignals } from '../limits/run-control.ts';
import type { RunObserver } from '../run-needs.ts';
import { readStop, reportsOf } from './fleet-records.ts';

/** The milliseconds between two looks of a worker for the order to stop. */
const lookEveryMs = 1000;
/** A worker reports itself with every second look. */
const looksForReport = 2;
/** The milliseconds without a report after which a worker counts as silent. */
const silentAfterMs = 7000;
/** The milliseconds after which a report is not shown any more. */
const forgottenAfterMs = { silent: 120_000, unfit: 600_000 };

type Records = Pick<Store, 'shared'>;

/** The report of a worker as it is stored. `at` is a time on the clock of the store, in milliseconds. */
type Report = Omit<WorkerView, 'state' | 'ageMs'> & { readonly at: number };

/** The signs of life of a worker, which every process with the store can read. */
export interface Heartbeat extends AsyncDisposable {
  /** Aborted when the process that began the run says so. */
  readonly signals: StopSignals;
  /** Returns an observer that counts what the worker does, and passes everything on. */
  countFor(observer: RunObserver): RunObserver;
  /** Reports that the worker is refused. The report stays after its end. */
  reportUnfit(reason: string): Promise<void>;
}

/**
 * Begins to report a worker to the shared records of its run, every two seconds, and to look for the order to stop, every second.
 * Where the store cannot be reached, it is tried again.
 */
export async function beginHeartbeat(
  { worker, store: { shared } }: { readonly worker: string; readonly store: Records },
  runId: string,
): Promise<Heartbeat> {
  const [stop, abort] = [new AbortController(), new AbortController()];
  const tally = createTally();
  const lag = measureLag();
  let unfit: string | undefined;
  const name = `${reportsOf(runId)}${worker}`;

  const report = async () => {
    const own = { worker, machine: hostname(), pid: process.pid, version: touchstoneVersion };
    const found = unfit === undefined ? {} : { unfit };
    const value = { ...own, ...found, ...tally.read(), rss: process.memoryUsage.rss(), lagMs: lag.read() };
    await shared.change<Report, void>(name, (_, now) => ({
      value: { ...value, at: now },
      result: undefined,
    }));
  };
  const look = async () => {
    const said = await readStop(runId, { shared });
    if (said !== undefined) stop.abort();
    if (said === 'abort') abort.abort();
  };
  let looks = 0;
  let underWay: Promise<unknown> | undefined;
  const beat = () => {
    looks += 1;
    underWay ??= Promise.allSettled([look(), ...(looks % looksForReport === 0 ? [report()] : [])]).finally(
      () => (underWay = undefined),
    );
  };
  await Promise.allSettled([look(), report()]);
  const timer = setInterval(beat, lookEveryMs).unref();

  return {
    signals: { stop: stop.signal, abort: abort.signal },
    countFor: tally.countFor,
    reportUnfit: async (reason) => {
      unfit = reason;
      await report();
    },
    [Symbol.asyncDispose]: async () => {
      clearInterval(timer);
      await underWay;
      lag.end();
      // Where the store is away, the report is forgotten by itself.
      if (unfit === undefined) await shared.remove(name).catch(() => {});
    },
  };
}

/** Measures the longest delay of the event loop since it was last read, in milliseconds. */
function measureLag() {
  const resolution = 20;
  const delay = monitorEventLoopDelay({ resolution });
  delay.enable();
  const read = () => {
    const longest = delay.max / 1e6 - resolution;
    delay.reset();
    return Math.max(0, Math.round(longest));
  };
  return { read, end: () => delay.disable() };
}

function createTally() {
  let [done, inFlight, waiting] = [0, 0, 0];
  const parts = new Set<string>();
  const spending = createSpendingTally();
  const countFor: Heartbeat['countFor'] = (observer) => ({
    ...observer,
    onPart: (part, isUnderWay) => {
      if (isUnderWay) parts.add(part.name);
      else parts.delete(part.name);
      observer.onPart?.(part, isUnderWay);
    },
    onCalling: (change) => {
      inFlight += change;
      observer.onCalling?.(change);
    },
    onRecorded: (trial) => {
      waiting += 1;
      spending.addTrial(trial);
      observer.onRecorded?.(trial);
    },
    onJudged: (judgements) => {
      spending.addJudgements(judgements);
      observer.onJudged?.(judgements);
    },
    onScored: (trials) => {
      done += trials.length;
      waiting = Math.max(0, waiting - trials.length);
      observer.onScored?.(trials);
    },
  });
  const read = () => {
    const { targets, judges, users } = spending.read();
    return {
      ...(parts.size > 0 && { part: [...parts].join(', ') }),
      done,
      inFlight,
      waiting,
      spent: targets + judges + users,
    };
  };
  return { countFor, read };
}

/** Returns the workers of a run in the order of their names, those included that were refused or have lately stopped answering. */
export async function readWorkers(runId: string, { shared }: Records): Promise<WorkerView[]> {
  const reports = await shared.list<Report>(reportsOf(runId));
  if (reports.length === 0) return [];
  // Nothing is written: the clock of the store is wanted, by which the reports are dated.
  const now = await shared.change<unknown, number>(reportsOf(runId), (value, time) => ({
    value,
    result: time,
  }));
  return reports.flatMap(({ value: { at, ...report } }) => {
    const ageMs = Math.max(0, now - at);
    const state = stateOf(report, ageMs);
    const most = state === 'unfit' ? forgottenAfterMs.unfit : forgottenAfterMs.silent;
    return ageMs > most ? [] : [{ ...report, state, ageMs }];
  });
}

function stateOf({ unfit, part }: Pick<Report, 'unfit' | 'part'>, ageMs: number): WorkerView['state'] {
  if (unfit !== undefined) return 'unfit';
  if (ageMs > silentAfterMs) return 'silent';
  return part === undefined ? 'looking' : 'working';
}
