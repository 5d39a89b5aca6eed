/** The capacity of a bucket, and how fast it fills. */
export interface BucketRate {
  readonly capacity: number;
  readonly perMs: number;
}

/** The state of a token bucket. It is plain data, so that it can be stored in a record that processes share. */
export interface BucketState extends BucketRate {
  /** The amount in it at `at`; less than 0 when more was taken than was there. */
  readonly level: number;
  /** Milliseconds of the clock of its callers. */
  readonly at: number;
}

/**
 * A token bucket: an allowance that refills steadily, such as 500 requests a minute. Times are milliseconds of one
 * clock.
 */
export class TokenBucket {
  #rate: BucketRate;
  #level: number;
  #at: number;

  constructor({ capacity, perMs, level, at }: BucketState) {
    this.#rate = { capacity, perMs };
    this.#level = level;
    this.#at = at;
  }

  get state(): BucketState {
    return { ...this.#rate, level: this.#level, at: this.#at };
  }

  /** Returns the milliseconds until `amount` is available; an amount that never fits waits for a full bucket. */
  waitMs(amount: number, now: number): number {
    this.#refill(now);
    const missing = Math.min(amount, this.#rate.capacity) - this.#level;
    if (missing <= 0) return 0;
    return this.#rate.perMs <= 0 ? 0 : missing / this.#rate.perMs;
  }

  /** Takes an amount, even into debt; a negative amount is returned to the bucket. */
  take(amount: number, now: number): void {
    this.#refill(now);
    this.#level = Math.min(this.#rate.capacity, this.#level - amount);
  }

  /** Adopts the rate and level that the provider reports, if the level is lower than the known one. */
  correct(rate: BucketRate, level: number, now: number): void {
    this.#refill(now);
    this.#rate = rate;
    this.#level = Math.min(this.#level, level, rate.capacity);
  }

  /** Adopts another rate; the amount stays as it is, as far as it fits. */
  adopt(rate: BucketRate, now: number): void {
    this.correct(rate, rate.capacity, now);
  }

  #refill(now: number): void {
    const added = Math.max(0, now - this.#at) * this.#rate.perMs;
    this.#level = Math.min(this.#rate.capacity, this.#level + added);
    this.#at = now;
  }
}
