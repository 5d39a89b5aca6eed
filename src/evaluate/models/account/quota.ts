import { longestTimerMs } from '../../../core/lib/waiting.ts';
import { AdaptiveLimit, type LimitBounds, type LimitChange, type LoadSign } from './adaptive-limit.ts';
import { Allowances, type OwnAllowances } from './allowances.ts';
import type { Headers } from './read-allowances.ts';

/** The limits that a user sets for an account; the strictest of all models that share it applies. */
export interface AccountLimits extends OwnAllowances {
  readonly maxConcurrency?: number;
}

/** The outcome of a call. */
export interface CallOutcome {
  /** `refused` is a rate limit or an overload; `failed` is any other failure, which says nothing about the load. */
  readonly type: 'answered' | 'refused' | 'failed';
  readonly latencyMs: number;
  /** The reason of a refusal, and the status with which the server has answered, where it is known. */
  readonly refusal?: 'rate-limited' | 'overloaded';
  readonly status?: number;
  /** Milliseconds of waiting before the call was sent. */
  readonly waitedMs?: number;
  readonly headers?: Headers;
  readonly retryAfterMs?: number;
  readonly tokens?: number;
}

/** The demand on an account: what its callers in this process do and want to do now. */
export interface AccountDemand {
  readonly inFlight: number;
  readonly waiting: number;
  /** The estimated tokens of the call that is next; 0 when none waits. */
  readonly tokens: number;
  /** The latency of a recent answer in milliseconds; undefined before the first. */
  readonly typicalMs: number | undefined;
}

/** A call that is over. */
export interface EndedCall {
  readonly outcome: CallOutcome;
  /** The estimated tokens with which it began. */
  readonly tokens: number;
  /** The value that `begin` returned. */
  readonly epoch: number;
  /** True when the calls in flight had nearly used up their number. */
  readonly isBusy: boolean;
}

/**
 * The limits of an account: what may be sent, and when. An account asks it before every call and reports every outcome. One
 * implementation counts in this process, another one in records that several processes share. Times are by the clock of
 * `performance.now()`.
 */
export interface Quota {
  /** The number of calls that may be in flight in this process. */
  readonly concurrency: number;
  /** The number of calls that may be in flight in all processes. */
  readonly limit: number;
  /** The reason for the last change of the adaptive limit. */
  readonly change: LimitChange;
  /** True when the limit is the user's own setting. */
  readonly isSetting: boolean;
  /** The end of the last pause; 0 when there was none. */
  readonly pausedUntil: number;
  /** The milliseconds of all pauses so far, the whole current one included. */
  readonly pausedMs: number;
  /** Adds limits to those already there. */
  restrict(limits: AccountLimits): void;
  /** Returns the milliseconds until a call may begin; Infinity while that is not known: `onChange` is then called. */
  waitMs(tokens: number): number;
  /** Returns the milliseconds until a call may begin by the allowances that the provider reports. */
  reportedWaitMs(tokens: number): number;
  /** Records that a call begins. Returns the epoch, which `end` needs later. */
  begin(tokens: number): number;
  /** Records that a call has ended. */
  end(call: EndedCall): void;
  /** Called when the demand may have changed. */
  expect?(demand: AccountDemand): void;
}

/** The bounds of the adaptive limit of every account. */
export const limitBounds: LimitBounds = { initial: 50, max: 1000 };

const signs = { answered: 'success', refused: 'refusal', failed: 'none' } as const;

/** Returns the sign of the load that an outcome is. */
export function signOf({ outcome: { type, latencyMs }, epoch, isBusy }: EndedCall): LoadSign {
  return { type: signs[type], latencyMs, epoch, isBusy };
}

/** Creates limits that count the calls of this process. */
export function createOwnQuota(): Quota {
  const allowances = new Allowances();
  const adaptive = new AdaptiveLimit(limitBounds);
  const pauses = new Pauses();
  let maxConcurrency = limitBounds.max;
  const concurrency = () => Math.min(adaptive.value, maxConcurrency);
  return {
    get concurrency() {
      return concurrency();
    },
    get limit() {
      return concurrency();
    },
    get change() {
      return adaptive.change;
    },
    get isSetting() {
      return maxConcurrency <= adaptive.value;
    },
    get pausedUntil() {
      return pauses.until;
    },
    get pausedMs() {
      return pauses.totalMs;
    },
    restrict: ({ maxConcurrency: most = maxConcurrency, ...own }) => {
      maxConcurrency = Math.min(maxConcurrency, most);
      allowances.restrict(own);
    },
    waitMs: (tokens) => allowances.waitMs({ requests: 1, tokens }),
    reportedWaitMs: (tokens) => allowances.reportedWaitMs({ requests: 1, tokens }),
    begin: (tokens) => {
      allowances.take({ requests: 1, tokens });
      return adaptive.start();
    },
    end: (call) => {
      const { outcome, tokens } = call;
      allowances.take({ requests: 0, tokens: (outcome.tokens ?? tokens) - tokens });
      if (outcome.headers !== undefined) allowances.update(outcome.headers);
      if (adaptive.record(signOf(call))) pauses.add(outcome.retryAfterMs ?? 0);
    },
  };
}

/** The pauses of an account. */
export class Pauses {
  #until = 0;
  #totalMs = 0;

  get until(): number {
    return this.#until;
  }

  get totalMs(): number {
    return this.#totalMs;
  }

  /** Adds a pause that begins now. Where it overlaps another one, only the additional time counts. */
  add(milliseconds: number, now: number = performance.now()): void {
    const from = Math.max(this.#until, now);
    this.#until = Math.max(from, now + Math.min(milliseconds, longestTimerMs));
    this.#totalMs += this.#until - from;
  }
}
