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
  #limit: number;
  readonly #max: number;
  #isStarting = true;
  /** Counts changes of direction: the outcome of a call sent under an earlier limit says nothing about this one. */
  #epoch = 0;
  #sent = 0;
  #successes = 0;
  #refusals = 0;
  /**
   * Total milliseconds of the calls answered since `#since`. Divided by the time that has passed, it gives the calls
   * answered at a time.
   */
  #answeredMs = 0;
  #since = performance.now();
  #tolerated = 0;
  #experiment: Experiment | undefined;
  #ceiling = Number.POSITIVE_INFINITY;
  #cleanSamples = 0;
  #change: LimitChange = 'start';

  constructor({ initial, max }: LimitBounds) {
    this.#limit = Math.min(initial, max);
    this.#max = max;
  }

  /** The number of calls that may be in flight now; at least 1. */
  get value(): number {
    return Math.max(1, Math.floor(this.#limit));
  }

  /** The reason for the last change. */
  get change(): LimitChange {
    return this.#change;
  }

  /** Records that a call starts now. Returns the epoch, which `record` needs later. */
  start(): number {
    this.#sent += 1;
    return this.#epoch;
  }

  /** Records an outcome. Returns true when most calls are refused, so that it is better to pause. */
  record({ type, epoch, latencyMs, isBusy }: LoadSign): boolean {
    if (type === 'success') this.#answeredMs += latencyMs;
    if (epoch !== this.#epoch) return false;
    if (type === 'none') this.#sent -= 1;
    if (type === 'refusal') this.#refusals += 1;
    if (type === 'success') this.#successes += 1;
    if (type === 'success' && isBusy && this.#experiment === undefined) this.#grow();
    return this.#judge();
  }

  #grow(): void {
    const step = this.#isStarting ? 1 : this.#stepPerRound() / this.#limit;
    const before = this.#limit;
    this.#limit = Math.min(this.#max, this.#ceiling, this.#limit + step);
    if (this.#limit > before) this.#change = 'growing';
  }

  /**
   * Returns the growth per round: fast while far below the limit that was too high, then additive, as in CUBIC (Ha,
   * Rhee and Xu, 2008), so that an unlucky decrease is soon recovered.
   */
  #stepPerRound(): number {
    const room = Number.isFinite(this.#ceiling) ? (this.#ceiling - this.#limit) / 4 : 0;
    return Math.max(1, this.#limit / 20, room);
  }

  /**
   * Judges the sample once it is large enough. Refusals come sooner than answers, so calls without an outcome count as
   * if they will be answered.
   */
  #judge(): boolean {
    const count = this.#successes + this.#refusals;
    const share = this.#sent === 0 ? 0 : this.#refusals / this.#sent;
    const isFlood = share >= floodShare && count >= Math.min(16, Math.max(4, 2 * this.value));
    if (!isFlood && count < Math.max(leastSample, 2 * this.value)) return false;
    if (this.#experiment !== undefined) this.#concludeExperiment(this.#experiment, share);
    else if (share > this.#tolerated + noise(Math.max(this.#tolerated, leastShare), count))
      this.#decrease(share);
    else this.#acceptSample(share);
    return isFlood;
  }

  #acceptSample(share: number): void {
    if (share < this.#tolerated) this.#tolerated += (share - this.#tolerated) / 10;
    this.#cleanSamples += 1;
    if (this.#cleanSamples >= samplesUntilRetry) this.#ceiling = Number.POSITIVE_INFINITY;
    this.#forget();
  }

  #decrease(share: number, before = this.#limit): void {
    this.#experiment = { limit: before, share, step: 1 };
    const answeredAtATime = this.#answeredMs / Math.max(1, performance.now() - this.#since);
    const most = Math.max(this.#limit * 0.3, Math.min(Math.round(answeredAtATime), this.value - 1));
    this.#limit = Math.max(1, Math.floor(most));
    this.#change = 'lowered';
    this.#turn();
  }

  #concludeExperiment(before: Experiment, share: number): void {
    this.#experiment = undefined;
    if (share >= floodShare) {
      // When no call is answered, or not even a single one at a time, the load is not the cause, so the earlier limit
      // stays.
      const isAway = this.#successes === 0 || this.value === 1;
      this.#decrease(share, isAway ? before.limit : this.#limit);
      return;
    }
    if (share <= before.share / 2) {
      this.#isStarting = false;
      this.#ceiling = Math.max(1, Math.ceil(before.limit) - 1);
      this.#cleanSamples = 0;
    } else if (before.step === 1) {
      // The number of calls answered at a time is known only roughly, so a clear step down is more informative.
      this.#experiment = { ...before, step: 2 };
      this.#limit = Math.max(1, Math.floor(Math.min(this.#limit, before.limit * 0.75)));
    } else {
      this.#tolerated = Math.max(share, before.share);
      this.#limit = before.limit;
      this.#change = 'restored';
    }
    this.#turn();
  }

  #turn(): void {
    this.#epoch += 1;
    this.#sent = 0;
    this.#clear();
  }

  #forget(): void {
    this.#sent -= this.#successes + this.#refusals;
    this.#clear();
  }

  #clear(): void {
    this.#successes = 0;
    this.#refusals = 0;
    this.#answeredMs = 0;
    this.#since = performance.now();
  }
}

/** Returns three standard deviations of a share observed in `count` calls. */
function noise(share: number, count: number): number {
  return 3 * Math.sqrt((share * (1 - share)) / count);
}
