/** Where an adaptive limit starts, and how high it may go. */
export interface LimitBounds {
  readonly initial: number;
  readonly max: number;
}

/** What became of a call, as far as the load is concerned. */
export interface LoadSign {
  readonly type: 'success' | 'refusal' | 'none';
  /** What `start` gave. */
  readonly epoch: number;
  readonly latencyMs: number;
  /** Whether the limit was nearly used up, so that a higher one would have been used. */
  readonly isBusy: boolean;
}

/** What a limit was last changed for: it grows, it was lowered, or a lower one did not help and is undone. */
export type LimitChange = 'start' | 'growing' | 'lowered' | 'restored';

/** A lower limit on trial: what it was before, the share that was refused then, and how far it went down. */
interface Experiment {
  readonly limit: number;
  readonly share: number;
  readonly step: 1 | 2;
}

const leastSample = 20;
/** A share of refusals that any server may have without being loaded: one refusal now and then says nothing. */
const leastShare = 0.02;
/** A share of refusals from which there is no doubt that the load is too high. */
const floodShare = 0.6;
/** Clean samples after which a limit that was too high is tried again. */
const patience = 10;

/**
 * How many calls may be in flight: slow start, then additive increase and a measured decrease.
 *
 * Too many refusals lower the limit to the number of calls that were really being answered at a time, which by Little's
 * law is what the provider admits, be it a number at a time or a number a minute. But a refusal need not come from the
 * load: some servers refuse a share of all calls, however few they are. So a decrease is an experiment. When it does
 * not at least halve the refusals, even after a second step, it is undone and their share is put up with from then on.
 */
export class AdaptiveLimit {
  #limit: number;
  readonly #max: number;
  #isStarting = true;
  /** Counts changes of direction: what was sent under an earlier limit says nothing of this one. */
  #epoch = 0;
  #sent = 0;
  #successes = 0;
  #refusals = 0;
  /** Milliseconds of calls that were answered since `#since`: over the time that passed, calls at a time. */
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

  /** Calls that may be in flight now; at least 1. */
  get value(): number {
    return Math.max(1, Math.floor(this.#limit));
  }

  /** What it was last changed for. */
  get change(): LimitChange {
    return this.#change;
  }

  /** Records that a call starts now. Returns what `record` needs to know of it later. */
  start(): number {
    this.#sent += 1;
    return this.#epoch;
  }

  /** Records an outcome. Returns true when most calls are refused, so that it is better to wait than to go on. */
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

  /** Quick while far below what was too much, then additive, as in CUBIC (Ha, Rhee and Xu, 2008): an unlucky decrease is soon made good. */
  #stepPerRound(): number {
    const room = Number.isFinite(this.#ceiling) ? (this.#ceiling - this.#limit) / 4 : 0;
    return Math.max(1, this.#limit / 20, room);
  }

  /** Refusals come sooner than answers: calls without an outcome yet count as if they were to be answered. */
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
    if (this.#cleanSamples >= patience) this.#ceiling = Number.POSITIVE_INFINITY;
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
      // Where nobody at all is answered, or not even a call by itself, it is not the load: the earlier limit is as good as it was.
      const isAway = this.#successes === 0 || this.value === 1;
      this.#decrease(share, isAway ? before.limit : this.#limit);
      return;
    }
    if (share <= before.share / 2) {
      this.#isStarting = false;
      this.#ceiling = Math.max(1, Math.ceil(before.limit) - 1);
      this.#cleanSamples = 0;
    } else if (before.step === 1) {
      // What is answered at a time is known only roughly: a clear step down tells more.
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

/** Three standard deviations of a share seen in `count` calls. */
function noise(share: number, count: number): number {
  return 3 * Math.sqrt((share * (1 - share)) / count);
}
