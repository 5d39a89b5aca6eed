/** How much a bucket holds, and how fast it fills. */
export interface BucketRate {
  readonly capacity: number;
  readonly perMs: number;
}

/** An allowance that refills steadily, such as 500 requests a minute. Times are milliseconds of one clock. */
export class TokenBucket {
  #rate: BucketRate;
  #level: number;
  #at: number;

  constructor(rate: BucketRate, now: number, level: number = rate.capacity) {
    this.#rate = rate;
    this.#level = level;
    this.#at = now;
  }

  /** Milliseconds until `amount` is there; an amount that never fits waits for a full bucket. */
  waitMs(amount: number, now: number): number {
    this.#refill(now);
    const missing = Math.min(amount, this.#rate.capacity) - this.#level;
    if (missing <= 0) return 0;
    return this.#rate.perMs <= 0 ? 0 : missing / this.#rate.perMs;
  }

  /** Takes an amount, also into debt; a negative amount returns something. */
  take(amount: number, now: number): void {
    this.#refill(now);
    this.#level = Math.min(this.#rate.capacity, this.#level - amount);
  }

  /** Believes what the owner of the allowance says of it, if that is less than what was thought. */
  correct(rate: BucketRate, level: number, now: number): void {
    this.#refill(now);
    this.#rate = rate;
    this.#level = Math.min(this.#level, level, rate.capacity);
  }

  #refill(now: number): void {
    const added = Math.max(0, now - this.#at) * this.#rate.perMs;
    this.#level = Math.min(this.#rate.capacity, this.#level + added);
    this.#at = now;
  }
}
