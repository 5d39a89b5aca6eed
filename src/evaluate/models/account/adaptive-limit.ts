/** The start value and the maximum of an adaptive limit. */
export interface LimitBounds {
  readonly initial: number;
  readonly max: number;
}

/** The outcome of a call as a sign of the load. */
export interface LoadSign {
  readonly type: 'success' | 'refusal' | 'none';
  /** The value that `start` returned. */
  readonly epoch: number;
  readonly latencyMs: number;
  /** True when the limit was nearly used up, so that a higher one would have been used. */
  readonly isBusy: boolean;
}

/**
 * The reason for the last change of a limit: it grows, it was lowered, or it was restored because lowering did not
 * help.
 */
export type LimitChange = 'start' | 'growing' | 'lowered' | 'restored';

/** An experiment with a lower limit: the limit before, the share of refusals then, and the step down. */
interface Experiment {
  readonly limit: number;
  readonly share: number;
  readonly step: 1 | 2;
}

/** The state of an adaptive limit. It is plain data, so that it can be stored in a record that processes share. */
export interface LimitState {
  limit: number;
  isStarting: boolean;
  /** A count of changes of direction: the outcome of a call sent under an earlier limit says nothing about this one. */
  epoch: number;
  sent: number;
  successes: number;
  refusals: number;
  /**
   * Total milliseconds of the calls answered since `since`. Divided by the time that has passed, it gives the calls
   * answered at a time.
   */
  answeredMs: number;
  since: number;
  tolerated: number;
  experiment: Experiment | null;
  /** The highest limit for now; null for none. */
  ceiling: number | null;
  cleanSamples: number;
  change: LimitChange;
}

const newState: Omit<LimitState, 'limit' | 'since'> = {
  isStarting: true,
  epoch: 0,
  sent: 0,
  successes: 0,
  refusals: 0,
  answeredMs: 0,
  tolerated: 0,
  experiment: null,
  ceiling: null,
  cleanSamples: 0,
  change: 'start',
};

const leastSample = 20;
/** A share of refusals that any server may have without being overloaded. */
const leastShare = 0.02;
/** A share of refusals from which the load is certainly too high. */
const floodShare = 0.6;
/** The number of clean samples after which a limit that was too high is tried again. */
const samplesUntilRetry = 10;

/**
 * An adaptive limit of calls in flight: slow start, then additive increase and a measured decrease.
 *
 * Too many refusals lower the limit to the number of calls that were really being answered at a time, which by Little's
 * law is what the provider admits, be it a number at a time or a number a minute. But a refusal need not come from the
 * load: some servers refuse a share of all calls, however few there are. So a decrease is an experiment. When it does
 * not at least halve the refusals, even after a second step, it is undone, and that share of refusals is tolerated from
 * then on.
 */
export class AdaptiveLimit {
  readonly #max: number;
  readonly #state: LimitState;
  #now: number;

  /**
   * Creates a limit that starts, or one that continues from a state.
   * @param now - Milliseconds of the clock that `record` is called with.
   */
  constructor({ initial, max }: LimitBounds, state?: LimitState, now: number = performance.now()) {
    this.#max = max;
    this.#now = now;
    this.#state = { ...(state ?? { ...newState, limit: Math.min(initial, max), since: now }) };
  }

  /** Its whole state, as plain data. */
  get state(): LimitState {
    return { ...this.#state };
  }

  /** The number of calls that may be in flight now; at least 1. */
  get value(): number {
    return Math.max(1, Math.floor(this.#state.limit));
  }

  /** The reason for the last change. */
  get change(): LimitChange {
    return this.#state.change;
  }

  /** Records that calls start now. Returns the epoch, which `record` needs later. */
  start(calls: number = 1): number {
    this.#state.sent += calls;
    return this.#state.epoch;
  }

  /** Records an outcome. Returns true when most calls are refused, so that it is better to pause. */
  record({ type, epoch, latencyMs, isBusy }: LoadSign, now: number = performance.now()): boolean {
    this.#now = now;
    if (type === 'success') this.#state.answeredMs += latencyMs;
    if (epoch !== this.#state.epoch) return false;
    if (type === 'none') this.#state.sent -= 1;
    if (type === 'refusal') this.#state.refusals += 1;
    if (type === 'success') this.#state.successes += 1;
    if (type === 'success' && isBusy && this.#state.experiment === null) this.#grow();
    return this.#judge();
  }

  #grow(): void {
    const step = this.#state.isStarting ? 1 : this.#stepPerRound() / this.#state.limit;
    const before = this.#state.limit;
    this.#state.limit = Math.min(this.#max, this.#state.ceiling ?? Infinity, this.#state.limit + step);
    if (this.#state.limit > before) this.#state.change = 'growing';
  }

  /**
   * Returns the growth per round: fast while far below the limit that was too high, then additive, as in CUBIC (Ha,
   * Rhee and Xu, 2008), so that an unlucky decrease is soon recovered.
   */
  #stepPerRound(): number {
    const { limit, ceiling } = this.#state;
    const room = ceiling === null ? 0 : (ceiling - limit) / 4;
    return Math.max(1, limit / 20, room);
  }

  /**
   * Judges the sample once it is large enough. Refusals come sooner than answers, so calls without an outcome count as
   * if they will be answered.
   */
  #judge(): boolean {
    const count = this.#state.successes + this.#state.refusals;
    const share = this.#state.sent === 0 ? 0 : this.#state.refusals / this.#state.sent;
    const isFlood = share >= floodShare && count >= Math.min(16, Math.max(4, 2 * this.value));
    if (!isFlood && count < Math.max(leastSample, 2 * this.value)) return false;
    if (this.#state.experiment !== null) this.#concludeExperiment(this.#state.experiment, share);
    else if (share > this.#state.tolerated + noise(Math.max(this.#state.tolerated, leastShare), count))
      this.#decrease(share);
    else this.#acceptSample(share);
    return isFlood;
  }

  #acceptSample(share: number): void {
    if (share < this.#state.tolerated) this.#state.tolerated += (share - this.#state.tolerated) / 10;
    this.#state.cleanSamples += 1;
    if (this.#state.cleanSamples >= samplesUntilRetry) this.#state.ceiling = null;
    this.#forget();
  }

  #decrease(share: number, before = this.#state.limit): void {
    this.#state.experiment = { limit: before, share, step: 1 };
    const answeredAtATime = this.#state.answeredMs / Math.max(1, this.#now - this.#state.since);
    const most = Math.max(this.#state.limit * 0.3, Math.min(Math.round(answeredAtATime), this.value - 1));
    this.#state.limit = Math.max(1, Math.floor(most));
    this.#state.change = 'lowered';
    this.#turn();
  }

  #concludeExperiment(before: Experiment, share: number): void {
    this.#state.experiment = null;
    if (share >= floodShare) {
      // When no call is answered, or not even a single one at a time, the load is not the cause, so the earlier limit
      // stays.
      const isAway = this.#state.successes === 0 || this.value === 1;
      this.#decrease(share, isAway ? before.limit : this.#state.limit);
      return;
    }
    if (share <= before.share / 2) {
      this.#state.isStarting = false;
      this.#state.ceiling = Math.max(1, Math.ceil(before.limit) - 1);
      this.#state.cleanSamples = 0;
    } else if (before.step === 1) {
      // The number of calls answered at a time is known only roughly, so a clear step down is more informative.
      this.#state.experiment = { ...before, step: 2 };
      this.#state.limit = Math.max(1, Math.floor(Math.min(this.#state.limit, before.limit * 0.75)));
    } else {
      this.#state.tolerated = Math.max(share, before.share);
      this.#state.limit = before.limit;
      this.#state.change = 'restored';
    }
    this.#turn();
  }

  #turn(): void {
    this.#state.epoch += 1;
    this.#state.sent = 0;
    this.#clear();
  }

  #forget(): void {
    this.#state.sent -= this.#state.successes + this.#state.refusals;
    this.#clear();
  }

  #clear(): void {
    this.#state.successes = 0;
    this.#state.refusals = 0;
    this.#state.answeredMs = 0;
    this.#state.since = this.#now;
  }
}

/** Returns three standard deviations of a share observed in `count` calls. */
function noise(share: number, count: number): number {
  return 3 * Math.sqrt((share * (1 - share)) / count);
}
