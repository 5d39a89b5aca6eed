import { hostname } from 'node:os';
import { millisecondsNow } from '../../core/lib/time.ts';
import type { RunObserver } from '../../evaluate/run/run-needs.ts';
import type { WorkerView } from '../../core/schema/api/worker-view.ts';
import { touchstoneVersion } from '../../core/own-package.ts';
import type { Collector } from './collector.ts';
import { encodeAttributes, scope, toNanoseconds } from './encode-spans.ts';
import { postJson } from './span-sender.ts';

/** The milliseconds between two reports. */
const reportEveryMs = 10_000;
/** The bounds of the buckets of durations, in seconds. */
const durationBounds = [1, 2, 5, 10, 30, 60, 120, 300, 600] as const;

/** The metrics of a process that takes part in a run of several: see docs/production.md. */
export interface FleetMetrics {
  /** Returns an observer that measures, and passes everything on. */
  countFor(observer: RunObserver): RunObserver;
  /** Sends the last values. */
  finish(): Promise<void>;
}

const workerStates = ['working', 'looking', 'unfit', 'silent'] as const satisfies WorkerView['state'][];

/** A metric with what was measured since the process began, but for gauges, which are the last values. */
interface Measured {
  readonly name: string;
  readonly type: 'gauge' | 'sum' | 'histogram';
  readonly of: Readonly<Record<string, string>>;
  value: number;
  readonly buckets: number[];
  count: number;
}

/**
 * Creates the metrics of a process, which it sends every ten seconds, next to the spans. A collector that takes none is asked no
 * more, and nothing is said of it: spans are what was asked for.
 */
export function createFleetMetrics(collector: Collector, redact: (text: string) => string): FleetMetrics {
  const url = collector.url.replace(/\/v1\/traces$/, '/v1/metrics');
  const startMs = millisecondsNow();
  const measured = new Map<string, Measured>();
  const end = new AbortController();
  let sending = Promise.resolve();

  const find = (name: string, type: Measured['type'], of: Measured['of'] = {}): Measured => {
    const key = JSON.stringify([name, of]);
    const known = measured.get(key) ?? newMeasured(name, type, of);
    measured.set(key, known);
    return known;
  };
  const send = async () => {
    if (url === collector.url || measured.size === 0 || end.signal.aborted) return;
    const body = () => JSON.stringify(encodeMetrics([...measured.values()], startMs, redact));
    if ((await postJson(body, { ...collector, url }, end.signal)) !== undefined) end.abort();
  };
  const timer = setInterval(() => {
    sending = sending.then(send);
  }, reportEveryMs).unref();

  const set = (name: string, value: number, of?: Measured['of']) => {
    find(name, 'gauge', of).value = value;
  };
  const count = (name: string, more: number) => {
    find(name, 'sum').value += more;
  };
  const addDuration = (name: string, seconds: number) => {
    const found = find(name, 'histogram');
    const bucket = durationBounds.findIndex((bound) => seconds <= bound);
    const index = bucket === -1 ? durationBounds.length : bucket;
    found.value += seconds;
    found.count += 1;
    found.buckets[index] = (found.buckets[index] ?? 0) + 1;
  };
  const partsAt = new Map<string, number>();

  return {
    countFor: (observer) => ({
      ...observer,
      onPart: (part, isUnderWay) => {
        observer.onPart?.(part, isUnderWay);
        const [now, begunAt] = [performance.now(), partsAt.get(part.name)];
        if (isUnderWay) partsAt.set(part.name, now);
        else if (begunAt !== undefined) addDuration('touchstone.part.duration', (now - begunAt) / 1000);
      },
      onScored: (trials) => {
        observer.onScored?.(trials);
        count('touchstone.trial.done', trials.length);
      },
      onLate: () => {
        observer.onLate?.();
        count('touchstone.trial.late', 1);
      },
      onAccounts: (accounts) => {
        observer.onAccounts?.(accounts);
        for (const { account, limits } of accounts) {
          const limit = limits.at(-1)?.limit;
          if (limit !== undefined) set('touchstone.account.limit', limit, { 'touchstone.account': account });
        }
      },
      onWorkers: (workers, partsLeft) => {
        observer.onWorkers?.(workers, partsLeft);
        set('touchstone.queue.depth', partsLeft);
        for (const state of workerStates) {
          const those = workers.filter((worker) => worker.state === state);
          set('touchstone.workers', those.length, { 'touchstone.worker.state': state });
        }
      },
    }),
    finish: async () => {
      clearInterval(timer);
      await sending;
      await send();
    },
  };
}

function newMeasured(name: string, type: Measured['type'], of: Measured['of']): Measured {
  return {
    name,
    type,
    of,
    value: 0,
    count: 0,
    buckets: Array.from({ length: durationBounds.length + 1 }, () => 0),
  };
}

/** Encodes metrics for OTLP/HTTP as JSON. */
function encodeMetrics(all: readonly Measured[], startMs: number, redact: (text: string) => string): object {
  const resource = {
    'service.name': 'touchstone',
    'service.version': touchstoneVersion,
    'service.instance.id': `${hostname()} ${process.pid}`,
  };
  const times = { startTimeUnixNano: toNanoseconds(startMs), timeUnixNano: toNanoseconds(millisecondsNow()) };
  const metrics = all.map(({ name, type, of, value, count, buckets }) => {
    const place = { attributes: encodeAttributes(of, redact), ...times };
    if (type !== 'histogram') {
      const dataPoints = [{ ...place, asInt: String(value) }];
      if (type === 'gauge') return { name, gauge: { dataPoints } };
      return { name, sum: { dataPoints, aggregationTemporality: cumulative, isMonotonic: true } };
    }
    const bounds = { explicitBounds: durationBounds, bucketCounts: buckets.map(String) };
    const dataPoints = [{ ...place, ...bounds, count: String(count), sum: value }];
    return { name, unit: 's', histogram: { dataPoints, aggregationTemporality: cumulative } };
  });
  const scopeMetrics = [{ scope, metrics }];
  return {
    resourceMetrics: [{ resource: { attributes: encodeAttributes(resource, redact) }, scopeMetrics }],
  };
}

/** The temporality of values since a start, in the protocol. */
const cumulative = 2;
