import { timeNow } from '../../lib/time.ts';
import { longestTimerMs } from '../../lib/waiting.ts';
import { dropMiddleSteps, type LimitReason, type LimitStep } from '../../schema/usage.ts';
import { AdaptiveLimit, type LimitBounds, type LimitChange } from './adaptive-limit.ts';
import { Allowances, type OwnAllowances } from './allowances.ts';
import type { Headers } from './read-allowances.ts';
import { type CallDemand, type Waiter, WaitingLine } from './waiting-line.ts';

/** Limits that a user sets for an account; the strictest of all models that share it counts. */
export interface AccountLimits extends OwnAllowances {
  readonly maxConcurrency?: number | undefined;
}

/** What became of a call. */
export interface CallOutcome {
  /** `refused`: rate limit or overload. `failed`: anything else that says nothing of the load. */
  readonly type: 'answered' | 'refused' | 'failed';
  readonly latencyMs: number;
  /** Why it was refused. */
  readonly refusal?: 'rate-limited' | 'overloaded' | undefined;
  /** Milliseconds that it waited before it was sent. */
  readonly waitedMs?: number | undefined;
  readonly headers?: Headers | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly tokens?: number | undefined;
}

/** The right to make one call. `release` must be called once, whatever happens. */
export interface Permit {
  /** Milliseconds of pauses that the server asked for while the call waited. */
  readonly pausedMs: number;
  release(outcome: CallOutcome): void;
}

/** What has become of all calls on an account so far. */
export interface AccountFigures {
  readonly requests: number;
  readonly refused: number;
  readonly waitedMs: number;
  /** The turns that its limit has taken. */
  readonly limits: readonly LimitStep[];
}

/** Why calls wait on an account. */
export type WaitReason = LimitReason | 'paused' | 'allowance' | 'setting';

/** How an account is doing at the moment. */
export interface AccountState {
  readonly inFlight: number;
  /** Calls that wait for their turn. */
  readonly waiting: number;
  /** Calls that may be in flight. */
  readonly limit: number;
  /** `paused`: asked to be left alone; `allowance`: so many a minute; `setting`: the user's own limit. */
  readonly reason: WaitReason;
}

const signs = { answered: 'success', refused: 'refusal', failed: 'none' } as const;
const longestPauseMs = 300_000;
const defaultBounds: LimitBounds = { initial: 50, max: 1000 };

/**
 * One account with a provider: all models with the same address and key share its limits. Calls wait here, before their
 * time is measured, for a place among those in flight, for the allowances and for the end of a pause.
 */
export class Account {
  readonly #line = new WaitingLine<Permit>();
  readonly #allowances = new Allowances();
  #limit = new AdaptiveLimit(defaultBounds);
  #history = createLimitHistory(defaultBounds.initial);
  #refusal: LimitReason = 'rate-limited';
  #figures = { requests: 0, refused: 0, waitedMs: 0 };
  #maxConcurrency = defaultBounds.max;
  #inFlight = 0;
  #pausedUntil = 0;
  #pausedMs = 0;
  #typicalMs: number | undefined;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  /** Milliseconds that a recent answer took; undefined before the first. */
  get typicalMs(): number | undefined {
    return this.#typicalMs;
  }

  /** Whether an answer has come recently: within the time that a few of them take. */
  get isAnswering(): boolean {
    return this.silentMs <= 5 * (this.#typicalMs ?? 0);
  }

  /** Milliseconds since the last answer; Infinity before the first. */
  get silentMs(): number {
    return performance.now() - this.#answeredAt;
  }

  /** Calls that may be in flight at the moment. */
  get concurrency(): number {
    return Math.min(this.#limit.value, this.#maxConcurrency);
  }

  /** All that has become of its calls so far. */
  get figures(): AccountFigures {
    return { ...this.#figures, limits: this.#history.steps };
  }

  /** How many calls are in flight and waiting, and why they are not more. */
  get state(): AccountState {
    const waiting = this.#line.length;
    return { inFlight: this.#inFlight, waiting, limit: this.concurrency, reason: this.#waitReason() };
  }

  #waitReason(): WaitReason {
    if (this.#pausedUntil > performance.now()) return 'paused';
    if (this.#inFlight < this.concurrency) return 'allowance';
    if (this.#maxConcurrency <= this.#limit.value) return 'setting';
    const { change } = this.#limit;
    return change === 'lowered' ? this.#refusal : change;
  }

  /** Adds limits to those already there. */
  restrict({ maxConcurrency = this.#maxConcurrency, ...allowances }: AccountLimits): void {
    this.#maxConcurrency = Math.min(this.#maxConcurrency, maxConcurrency);
    this.#allowances.restrict(allowances);
  }

  /**
   * Waits for the right to make a call. Rejects with the signal's reason when it is aborted first, and with a `ModelFailure` as
   * soon as the server wants it to wait for longer than it may. Waiting for limits that the user set has no end.
   */
  acquire(demand: CallDemand): Promise<Permit> {
    const pausedBefore = this.#pausedMs - Math.max(0, this.#pausedUntil - performance.now());
    const permit = this.#line.join({ demand, pausedBefore }, () => this.#serve());
    this.#serve();
    return permit;
  }

  #serve(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#refuseImpatient();
    while (this.#inFlight < this.concurrency) {
      const { first } = this.#line;
      if (first === undefined) return;
      const waitMs = this.#waitMs(first.demand);
      if (waitMs > 0) {
        this.#timer = setTimeout(() => this.#serve(), Math.min(waitMs, longestTimerMs));
        return;
      }
      this.#line.shift();
      first.grant(this.#createPermit(first));
    }
  }

  /** Those that would have to wait for longer than they may are told so at once. */
  #refuseImpatient(): void {
    const isPaused = this.#pausedUntil > performance.now();
    if (isPaused) this.#line.refuseAll((waiter) => this.#isPausedTooLong(waiter));
    this.#line.refuseFirst((waiter) => this.#isHeldTooLong(waiter));
  }

  #isPausedTooLong({ demand: { maxPauseMs = longestPauseMs }, pausedBefore }: Waiter<Permit>): boolean {
    return this.#pausedMs - pausedBefore > maxPauseMs;
  }

  /** What is left of an allowance that the server tells of is no refusal: to wait for it a little is always right. */
  #isHeldTooLong({ demand: { tokens, maxPauseMs = longestPauseMs } }: Waiter<Permit>): boolean {
    return this.#allowances.reportedWaitMs({ requests: 1, tokens }) > Math.max(maxPauseMs, longestPauseMs);
  }

  #waitMs({ tokens }: CallDemand): number {
    const pauseMs = this.#pausedUntil - performance.now();
    return Math.ceil(Math.max(pauseMs, this.#allowances.waitMs({ requests: 1, tokens })));
  }

  #createPermit({ demand: { tokens }, pausedBefore }: Waiter<Permit>): Permit {
    this.#inFlight += 1;
    this.#allowances.take({ requests: 1, tokens });
    const epoch = this.#limit.start();
    let isReleased = false;
    return {
      pausedMs: this.#pausedMs - pausedBefore,
      release: (outcome) => {
        if (isReleased) return;
        isReleased = true;
        const isBusy = this.#inFlight >= this.concurrency * 0.75;
        this.#inFlight -= 1;
        this.#allowances.take({ requests: 0, tokens: (outcome.tokens ?? tokens) - tokens });
        this.#learn(outcome, { epoch, isBusy });
        this.#serve();
      },
    };
  }

  #learn(outcome: CallOutcome, sent: { readonly epoch: number; readonly isBusy: boolean }): void {
    if (outcome.headers !== undefined) this.#allowances.believe(outcome.headers);
    const { type, latencyMs, waitedMs = 0, refusal = 'rate-limited' } = outcome;
    this.#figures.requests += 1;
    this.#figures.waitedMs += waitedMs;
    if (type === 'refused') {
      this.#figures.refused += 1;
      this.#refusal = refusal;
    }
    const isFlood = this.#limit.record({ type: signs[type], latencyMs, ...sent });
    this.#history.note(this.concurrency, this.#limit.change, this.#refusal);
    if (isFlood) this.#pause(outcome.retryAfterMs ?? 0);
    if (outcome.type !== 'answered') return;
    this.#answeredAt = performance.now();
    const before = this.#typicalMs ?? latencyMs;
    this.#typicalMs = before + (latencyMs - before) / 8;
  }

  #pause(milliseconds: number): void {
    const now = performance.now();
    const from = Math.max(this.#pausedUntil, now);
    this.#pausedUntil = Math.max(from, now + Math.min(milliseconds, longestTimerMs));
    this.#pausedMs += this.#pausedUntil - from;
  }
}

/** The turns that a limit has taken, in bounded memory: while it grows, only how far is kept. */
interface LimitHistory {
  readonly steps: readonly LimitStep[];
  /** Records the limit as it is now. `refusal` is what calls were last refused for. */
  note(limit: number, change: LimitChange, refusal: LimitReason): void;
}

/** Starts a history. Its times keep their order even when somebody sets the clock. */
function createLimitHistory(limit: number): LimitHistory {
  const steps: LimitStep[] = [{ at: timeNow(), limit, reason: 'start' }];
  return {
    steps,
    note: (value, change, refusal) => {
      const last = steps.at(-1) as LimitStep;
      if (last.limit === value) return;
      const step = { at: timeNow(), limit: value, reason: change === 'lowered' ? refusal : change };
      const isMore = step.reason === last.reason && (change === 'growing' || change === 'start');
      if (isMore) steps[steps.length - 1] = step;
      else steps.push(step);
      dropMiddleSteps(steps);
    },
  };
}
