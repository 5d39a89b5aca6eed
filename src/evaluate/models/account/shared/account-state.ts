import { AdaptiveLimit, type LimitChange, type LimitState } from '../adaptive-limit.ts';
import { type AccountLimits, limitBounds } from '../quota.ts';
import type { Allowances as ReportedAllowances } from '../read-allowances.ts';
import type { TokenBucket } from '../token-bucket.ts';
import { allot, type AllottedWorker } from './allot.ts';
import {
  amountOf,
  type BucketStates,
  type Kind,
  kinds,
  reportedBuckets,
  setBuckets,
  statesOf,
} from './buckets.ts';
import { addOutcome, isOutage, limitAfter, noRefusals, type Refusals, type Sample } from './outage.ts';

/** A process that uses an account. Its record is over at `until`, unless it reports again. */
interface WorkerState extends AllottedWorker {
  readonly until: number;
  /** The limits that it was given. */
  readonly own: AccountLimits;
}

/** The state of an account that several processes use. Times are milliseconds on the clock of the store. */
export interface AccountState {
  /** The allowances that users set. */
  readonly set: BucketStates;
  /** The allowances that the provider reports. */
  readonly reported: BucketStates;
  readonly pausedUntil: number;
  readonly limit: LimitState;
  /** Missing in the records of an earlier version. */
  readonly refusals?: Refusals;
  readonly workers: Readonly<Record<string, WorkerState>>;
}

/** The report of a process, which asks for calls. */
export interface AccountReport {
  readonly worker: string;
  readonly own: AccountLimits;
  readonly inFlight: number;
  readonly waiting: number;
  /** The number of calls for which it needs permits soon. */
  readonly wanted: number;
  /** The estimated tokens of one call. */
  readonly tokens: number;
  /** The latency of a recent answer; undefined before the first. */
  readonly typicalMs: number | undefined;
  /** The calls begun since its last report, by the epoch in which they began. */
  readonly begun: ReadonlyMap<number, number>;
  readonly samples: readonly Sample[];
  /** The tokens used beyond the estimates; negative when fewer were used. */
  readonly moreTokens: number;
  /** The newest allowances that the provider has reported. */
  readonly reported: ReportedAllowances;
}

/** The calls that a process may make until its next report. Times are milliseconds from now. */
export interface AccountGrant {
  /** True when the account has an allowance, so that each call needs one of the times in `slots`. */
  readonly isRated: boolean;
  /** The times at which one call each may begin. */
  readonly slots: readonly number[];
  /** True when the calls of the near future are all promised, so that asking for more at once would not help. */
  readonly isPromised: boolean;
  /** The milliseconds for which nothing may be sent. */
  readonly pausedForMs: number;
  /** The wait for an allowance that the provider reports. */
  readonly reportedWaitMs: number;
  /** The number of calls that this process may have in flight. */
  readonly share: number;
  /** The number of calls that all processes may have in flight. */
  readonly limit: number;
  readonly isSetting: boolean;
  readonly change: LimitChange;
  readonly epoch: number;
  /** The milliseconds until this process reports again, while it has calls in flight or waiting. */
  readonly reportEveryMs: number;
}

/** The milliseconds between the reports of a process that has calls in flight or waiting, where there are few processes. */
const leastReportMs = 250;
/** The longest such time: a process learns that late of a pause. */
const longestReportMs = 500;
/** The reports of all processes in a second, as far as that time allows. Each costs as much as some calls. */
const mostReports = 60;

/** The time, in milliseconds, after which a process that no longer reports counts as gone. */
export const workerLeaseMs = 5000;

/** The time, in milliseconds, up to which calls are promised in advance, where the rate allows more than one in it. */
const horizonMs = 2000;

/** Creates the state of an account that no process has used. */
function newState(now: number): AccountState {
  const { state: limit } = new AdaptiveLimit(limitBounds, undefined, now);
  return { set: {}, reported: {}, pausedUntil: 0, limit, workers: {} };
}

/**
 * Takes the report of a process into the state of an account, and decides what that process may do. Calls are promised as
 * times on one line for all processes, evenly spaced: a process that comes later takes the times after the times of the others,
 * so that it cannot take a rate that is used already, and what a killed process was promised passes by itself.
 */
export function exchange(
  before: AccountState | undefined,
  report: AccountReport,
  now: number,
): { readonly state: AccountState; readonly grant: AccountGrant } {
  const known = before ?? newState(now);
  const workers = joinWorker(known.workers, report, now);
  const reportEveryMs = Math.min(
    Math.max(leastReportMs, (1000 * Object.keys(workers).length) / mostReports),
    longestReportMs,
  );
  const { adaptive, pausedUntil, refusals } = learn(known, report, { now, knownByMs: reportEveryMs });
  const own = strictest(Object.values(workers).map((worker) => worker.own));
  const limit = Math.min(adaptive.value, own.maxConcurrency ?? Infinity);
  const share = allot(workers, report.worker, limit);
  const buckets = {
    set: setBuckets(known.set, own, now),
    reported: reportedBuckets(known.reported, report.reported, now),
  };
  const all = [buckets.set, buckets.reported].flatMap((each) =>
    kinds.flatMap((kind) => (each[kind] === undefined ? [] : [{ kind, bucket: each[kind] }])),
  );
  for (const { kind, bucket } of all) if (kind === 'tokens') bucket.take(report.moreTokens, now);
  const reportedWaitMs = Math.max(
    0,
    ...kinds.map((kind) => buckets.reported[kind]?.waitMs(amountOf(kind, report.tokens), now) ?? 0),
  );
  const isPaused = pausedUntil > now;
  const active = Object.values(workers).filter(({ waiting }) => waiting > 0).length;
  const { slots, isPromised } = isPaused || share === 0 ? noSlots : takeSlots(all, report, { now, active });
  const mine = workers[report.worker] as WorkerState;
  const servedAt = share > mine.share ? now : mine.servedAt;
  return {
    state: {
      set: statesOf(buckets.set),
      reported: statesOf(buckets.reported),
      pausedUntil,
      limit: adaptive.state,
      refusals,
      workers: { ...workers, [report.worker]: { ...mine, share, servedAt } },
    },
    grant: {
      isRated: all.length > 0,
      slots,
      isPromised,
      pausedForMs: Math.max(0, pausedUntil - now),
      reportedWaitMs,
      share,
      limit,
      isSetting: limit < adaptive.value,
      change: adaptive.change,
      epoch: adaptive.state.epoch,
      reportEveryMs,
    },
  };
}

/** Returns the state without a process that ends. */
export function leave(state: AccountState | undefined, worker: string): AccountState | undefined {
  if (state === undefined) return undefined;
  const { [worker]: _gone, ...workers } = state.workers;
  return { ...state, workers };
}

/** Returns the processes that still report, with what one of them has reported now. */
function joinWorker(
  workers: AccountState['workers'],
  { worker, own, inFlight, waiting }: AccountReport,
  now: number,
): Record<string, WorkerState> {
  // A time too far ahead is one from before the clock was set back.
  const living = Object.entries(workers).filter(
    ([id, { until }]) => id === worker || (until > now && until <= now + workerLeaseMs),
  );
  const { share = 0, servedAt = 0 } = workers[worker] ?? {};
  const mine = { until: now + workerLeaseMs, own, inFlight, waiting, share, servedAt };
  return { ...Object.fromEntries(living), [worker]: mine };
}

/** Learns from the outcomes of calls as the account of one process does, over the outcomes of all. */
function learn(
  { limit, pausedUntil: before, refusals: known = noRefusals }: AccountState,
  report: AccountReport,
  { now, knownByMs }: { readonly now: number; readonly knownByMs: number },
) {
  let adaptive = new AdaptiveLimit(limitBounds, limit, now);
  for (const [epoch, calls] of report.begun) if (epoch === limit.epoch) adaptive.start(calls);
  let pausedUntil = before;
  let refusals = known;
  for (const sample of report.samples) {
    refusals = addOutcome(refusals, sample, { now, limit: adaptive.state });
    const isFlood = adaptive.record(sample, now);
    const isOut = isOutage(refusals, report.typicalMs, now);
    // The pause begins when all of them know of it.
    if (isFlood || isOut) pausedUntil = Math.max(pausedUntil, now + sample.retryAfterMs + knownByMs);
    if (!isOut) continue;
    const next = limitAfter(refusals, adaptive.state.epoch, now) ?? adaptive.state;
    adaptive = new AdaptiveLimit(limitBounds, next, now);
    refusals = { ...noRefusals, settledAt: pausedUntil };
  }
  return { adaptive, pausedUntil, refusals };
}

function strictest(all: readonly AccountLimits[]): AccountLimits {
  const least = (values: readonly (number | undefined)[]): number | undefined => {
    const known = values.filter((value) => value !== undefined);
    return known.length === 0 ? undefined : Math.min(...known);
  };
  return {
    maxConcurrency: least(all.map(({ maxConcurrency }) => maxConcurrency)),
    requestsPerMinute: least(all.map(({ requestsPerMinute }) => requestsPerMinute)),
    tokensPerMinute: least(all.map(({ tokensPerMinute }) => tokensPerMinute)),
  };
}

const noSlots = { slots: [], isPromised: false };

interface RatedBucket {
  readonly kind: Kind;
  readonly bucket: TokenBucket;
}

/**
 * Takes a block of calls from the buckets, and returns the times at which they may begin. A block is what a process may
 * send in about a second when all of them that wait share the rate.
 */
function takeSlots(
  buckets: readonly RatedBucket[],
  { wanted, tokens }: AccountReport,
  { now, active }: { readonly now: number; readonly active: number },
): Pick<AccountGrant, 'slots' | 'isPromised'> {
  const perSecond = Math.min(
    ...buckets.map(({ kind, bucket: { state } }) => {
      const [amount, stock] = [Math.max(amountOf(kind, tokens), 1e-9), Math.max(0, state.level)];
      return (1000 * state.perMs + stock / 2) / amount;
    }),
  );
  const block = Math.max(1, Math.floor(perSecond / Math.max(1, active)));
  // A slow rate has less than one call for each process in this time.
  const latest = Math.max(horizonMs, (2 * active * 1000) / perSecond);
  const slots: number[] = [];
  let isPromised = false;
  while (buckets.length > 0 && slots.length < Math.min(wanted, block)) {
    const at = Math.max(0, ...buckets.map(({ kind, bucket }) => bucket.waitMs(amountOf(kind, tokens), now)));
    isPromised = at > latest;
    if (isPromised) break;
    for (const { kind, bucket } of buckets) bucket.take(amountOf(kind, tokens), now);
    slots.push(at);
  }
  return { slots, isPromised };
}
