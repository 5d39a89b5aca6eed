import { timeNow } from '../../../core/lib/time.ts';
import { longestTimerMs, wait } from '../../../core/lib/waiting.ts';
import { dropMiddleSteps, type LimitReason, type LimitStep } from '../../../core/schema/usage.ts';
import { type AccountLimits, type CallOutcome, createOwnQuota, limitBounds, type Quota } from './quota.ts';
import { type CallDemand, type Waiter, WaitingLine } from './waiting-line.ts';

/** The right to make one call. `release` must be called once, whatever happens. */
export interface Permit {
  /** Milliseconds of the pauses that the server asked for while the call waited. */
  readonly pausedMs: number;
  release(outcome: CallOutcome): void;
}

/** The totals of all calls on an account so far. */
export interface AccountFigures {
  readonly requests: number;
  readonly refused: number;
  readonly waitedMs: number;
  /** The changes of its limit. */
  readonly limits: readonly LimitStep[];
  /** The notices about how its calls were asked, with the number of calls that each is about. */
  readonly notices: ReadonlyMap<string, number>;
}

/** The reason why calls wait on an account. */
export type WaitReason = LimitReason | 'paused' | 'allowance' | 'setting';

/** The refusals of a server by which calls are held up. */
export interface Refusals {
  readonly reason: 'rate-limited' | 'overloaded';
  /** The status of the last one, where it is known. */
  readonly status: number | undefined;
  /** Their number since the last answer. */
  readonly inRow: number;
  /** Milliseconds until the server is asked again; 0 while it is being asked. */
  readonly nextTryMs: number;
}

/** The current state of an account. */
export interface AccountState {
  readonly inFlight: number;
  /** The number of calls that wait for their turn. */
  readonly waiting: number;
  /** The number of calls that were refused or have failed, and rest before their next attempt. */
  readonly resting: number;
  /** The refusals that hold up its calls; absent when there are none, or too few to be noticed. */
  readonly refusals?: Refusals;
  /** The number of calls that may be in flight. */
  readonly limit: number;
  /**
   * `paused`: the server asked for a pause; `allowance`: the allowance per minute is used up; `setting`: the user's own
   * limit is reached.
   */
  readonly reason: WaitReason;
}

const longestPauseMs = 300_000;

/** The milliseconds from which on refusals are worth showing: some are how the limit of an account is found. */
const noticedMs = 500;

/**
 * One account with a provider, whose limits are shared by all models with the same address and key. Calls wait here,
 * before their time is measured, for a place among those in flight, for the allowances and for the end of a pause.
 */
export class Account {
  readonly #line = new WaitingLine<Permit>();
  readonly #quota: Quota;
  readonly #history = createLimitHistory(limitBounds.initial);
  #refusal: Refusals['reason'] = 'rate-limited';
  #refused:
    | { readonly status: number | undefined; readonly inRow: number; readonly since: number }
    | undefined;
  /** The times at which the calls that rest are made again. */
  readonly #resting = new Set<{ readonly until: number }>();
  #figures = { requests: 0, refused: 0, waitedMs: 0 };
  readonly #notices = new Map<string, number>();
  #inFlight = 0;
  #typicalMs: number | undefined;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  /** Creates an account. Its limits count in this process unless others are given. */
  constructor(createQuota: (onChange: () => void) => Quota = createOwnQuota) {
    this.#quota = createQuota(() => this.#serve());
  }

  /** The latency of a recent answer in milliseconds; undefined before the first. */
  get typicalMs(): number | undefined {
    return this.#typicalMs;
  }

  /** True when an answer has come recently, within the time that a few of them take. */
  get isAnswering(): boolean {
    return this.silentMs <= 5 * (this.#typicalMs ?? 0);
  }

  /** Milliseconds since the last answer; Infinity before the first. */
  get silentMs(): number {
    return performance.now() - this.#answeredAt;
  }

  /** The number of calls that may be in flight now. */
  get concurrency(): number {
    return this.#quota.concurrency;
  }

  /** The totals of its calls so far. */
  get figures(): AccountFigures {
    return { ...this.#figures, limits: this.#history.steps, notices: new Map(this.#notices) };
  }

  /** Notes that a call was asked otherwise than it was meant, for the records of runs. */
  note(notice: string): void {
    this.#notices.set(notice, (this.#notices.get(notice) ?? 0) + 1);
  }

  /** The numbers of calls in flight and waiting, and the reason why no more are in flight. */
  get state(): AccountState {
    const refusals = this.#readRefusals();
    return {
      inFlight: this.#inFlight,
      waiting: this.#line.length,
      resting: this.#resting.size,
      ...(refusals && { refusals }),
      limit: this.concurrency,
      reason: this.#waitReason(),
    };
  }

  #readRefusals(): Refusals | undefined {
    const waiting = this.#line.length;
    if (this.#refused === undefined || waiting + this.#resting.size + this.#inFlight === 0) return undefined;
    const now = performance.now();
    const tries = Array.from(this.#resting, ({ until }) => until);
    // Those in the line are made when the pause is over that the server has asked for.
    if (waiting > 0) tries.push(this.#quota.pausedUntil);
    const nextTryMs = this.#inFlight > 0 || tries.length === 0 ? 0 : Math.max(0, Math.min(...tries) - now);
    const { status, inRow, since } = this.#refused;
    if (nextTryMs < noticedMs && now - since < noticedMs) return undefined;
    return { reason: this.#refusal, status, inRow, nextTryMs };
  }

  #waitReason(): WaitReason {
    const { pausedUntil, isSetting, change } = this.#quota;
    if (pausedUntil > performance.now()) return 'paused';
    if (this.#inFlight < this.concurrency) return 'allowance';
    if (isSetting) return 'setting';
    return change === 'lowered' ? this.#refusal : change;
  }

  /** Adds limits to those already there. */
  restrict(limits: AccountLimits): void {
    this.#quota.restrict(limits);
  }

  /**
   * Waits for the permit to make a call. Rejects with the signal's reason when it is aborted first, and with a
   * `ModelFailure` as soon as the server asks for a longer wait than the call allows. Waiting for the user's own limits
   * has no end.
   */
  acquire(demand: CallDemand): Promise<Permit> {
    const { pausedMs, pausedUntil } = this.#quota;
    const pausedBefore = pausedMs - Math.max(0, pausedUntil - performance.now());
    const permit = this.#line.join({ demand, pausedBefore }, () => this.#serve());
    this.#serve();
    return permit;
  }

  /** Waits before a call is made again. Rejects with the signal's reason when it is aborted first. */
  async rest(milliseconds: number, signal: AbortSignal): Promise<void> {
    const rest = { until: performance.now() + milliseconds };
    this.#resting.add(rest);
    try {
      await wait(milliseconds, signal);
    } finally {
      this.#resting.delete(rest);
    }
  }

  #serve(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#refuseOverdue();
    this.#beginCalls();
    this.#quota.expect?.({
      inFlight: this.#inFlight,
      waiting: this.#line.length,
      tokens: this.#line.first?.demand.tokens ?? 0,
      typicalMs: this.#typicalMs,
    });
  }

  #beginCalls(): void {
    while (this.#inFlight < this.concurrency) {
      const { first } = this.#line;
      if (first === undefined) return;
      const waitMs = this.#waitMs(first.demand);
      if (waitMs > 0) {
        // When the time is not known yet, the limits call as soon as it is.
        if (waitMs < Infinity)
          this.#timer = setTimeout(() => this.#serve(), Math.min(waitMs, longestTimerMs));
        return;
      }
      this.#line.shift();
      first.grant(this.#createPermit(first));
    }
  }

  /** Refuses at once the calls that would have to wait longer than they may. */
  #refuseOverdue(): void {
    const leftMs = this.#quota.pausedUntil - performance.now();
    if (leftMs > 0) this.#line.refuseAll((waiter) => (this.#isPausedTooLong(waiter) ? leftMs : undefined));
    this.#line.refuseFirst((waiter) => this.#heldTooLongMs(waiter));
  }

  #isPausedTooLong({ demand: { maxPauseMs = longestPauseMs }, pausedBefore }: Waiter<Permit>): boolean {
    return this.#quota.pausedMs - pausedBefore > maxPauseMs;
  }

  /**
   * Returns the milliseconds that a call waits for an allowance that the server reports, when that is too long. Such an
   * allowance is not a refusal, so a short wait for it is always right.
   */
  #heldTooLongMs({ demand: { tokens, maxPauseMs = longestPauseMs } }: Waiter<Permit>): number | undefined {
    const waitMs = this.#quota.reportedWaitMs(tokens);
    return waitMs > Math.max(maxPauseMs, longestPauseMs) ? waitMs : undefined;
  }

  #waitMs({ tokens }: CallDemand): number {
    const pauseMs = this.#quota.pausedUntil - performance.now();
    return Math.ceil(Math.max(pauseMs, this.#quota.waitMs(tokens)));
  }

  #createPermit({ demand: { tokens }, pausedBefore }: Waiter<Permit>): Permit {
    this.#inFlight += 1;
    const epoch = this.#quota.begin(tokens);
    let isReleased = false;
    return {
      pausedMs: this.#quota.pausedMs - pausedBefore,
      release: (outcome) => {
        if (isReleased) return;
        isReleased = true;
        const isBusy = this.#inFlight >= this.concurrency * 0.75;
        this.#inFlight -= 1;
        this.#quota.end({ outcome, tokens, epoch, isBusy });
        this.#learn(outcome);
        this.#serve();
      },
    };
  }

  #learn({ type, latencyMs, waitedMs = 0, refusal = 'rate-limited', status }: CallOutcome): void {
    this.#figures.requests += 1;
    this.#figures.waitedMs += waitedMs;
    if (type === 'refused') {
      this.#figures.refused += 1;
      this.#refusal = refusal;
      const { inRow = 0, since = performance.now() } = this.#refused ?? {};
      this.#refused = { status, inRow: inRow + 1, since };
    }
    this.#history.note(this.#quota, this.#refusal);
    if (type !== 'answered') return;
    this.#answeredAt = performance.now();
    this.#refused = undefined;
    const before = this.#typicalMs ?? latencyMs;
    this.#typicalMs = before + (latencyMs - before) / 8;
  }
}

/** The changes of a limit, in bounded memory: of a series of increases only the last is stored. */
interface LimitHistory {
  readonly steps: readonly LimitStep[];
  /**
   * Records the current limit.
   * @param refusal - The reason of the last refusal.
   */
  note(quota: Pick<Quota, 'limit' | 'change'>, refusal: LimitReason): void;
}

/** Creates a history. Its times keep their order even when the system clock is changed. */
function createLimitHistory(limit: number): LimitHistory {
  const steps: LimitStep[] = [{ at: timeNow(), limit, reason: 'start' }];
  return {
    steps,
    note: ({ limit: value, change }, refusal) => {
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
