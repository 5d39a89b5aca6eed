import { type Allowance, type Headers, readAllowances } from './read-allowances.ts';

/** What a call takes from allowances. */
export interface Take {
  readonly requests: number;
  readonly tokens: number;
}

/** Allowances by the minute that a user sets; the strictest counts. */
export interface OwnAllowances {
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
}

type Kind = keyof Take;
const kinds = ['requests', 'tokens'] as const satisfies readonly Kind[];

/** Requests and tokens a minute: those that the user sets, and those that the provider's headers tell of. */
export class Allowances {
  readonly #own: { [kind in Kind]?: { readonly perMinute: number; readonly bucket: TokenBucket } } = {};
  readonly #reported: { [kind in Kind]?: TokenBucket } = {};

  /** Adds allowances to those already there. */
  restrict({ requestsPerMinute, tokensPerMinute }: OwnAllowances): void {
    this.#restrict('requests', requestsPerMinute);
    this.#restrict('tokens', tokensPerMinute);
  }

  /** Milliseconds until there is enough of everything. */
  waitMs(needed: Take): number {
    const now = performance.now();
    const waits = this.#buckets().map(({ kind, bucket }) => bucket.waitMs(needed[kind], now));
    return Math.max(0, ...waits);
  }

  /** Milliseconds until there is enough of what the provider's headers tell of. */
  reportedWaitMs(needed: Take): number {
    const now = performance.now();
    const waits = kinds.map((kind) => this.#reported[kind]?.waitMs(needed[kind], now) ?? 0);
    return Math.max(...waits);
  }

  /** Takes from all allowances, also into debt; a negative amount returns something. */
  take(taken: Take): void {
    const now = performance.now();
    for (const { kind, bucket } of this.#buckets()) bucket.take(taken[kind], now);
  }

  /** Learns from the headers of a reply. */
  believe(headers: Headers): void {
    const told = readAllowances(headers);
    for (const kind of kinds) {
      const allowance = told[kind];
      if (allowance !== undefined) this.#reported[kind] = updated(this.#reported[kind], allowance);
    }
  }

  #restrict(kind: Kind, perMinute: number | undefined): void {
    if (perMinute === undefined || perMinute >= (this.#own[kind]?.perMinute ?? Infinity)) return;
    this.#own[kind] = { perMinute, bucket: createAllowance(perMinute) };
  }

  #buckets(): { kind: Kind; bucket: TokenBucket }[] {
    return kinds.flatMap((kind) =>
      [this.#own[kind]?.bucket, this.#reported[kind]].flatMap((bucket) =>
        bucket === undefined ? [] : [{ kind, bucket }],
      ),
    );
  }
}

/** An allowance for each minute that lets no more than three seconds' worth through at once. */
function createAllowance(perMinute: number): TokenBucket {
  const rate = { capacity: Math.max(1, perMinute / 20), perMs: perMinute / 60_000 };
  return new TokenBucket(rate, performance.now());
}

function updated(bucket: TokenBucket | undefined, { limit, remaining, resetMs }: Allowance): TokenBucket {
  const now = performance.now();
  const used = limit - remaining;
  const perMs = used > 0 && resetMs > 0 ? used / resetMs : limit / 60_000;
  const rate = { capacity: limit, perMs };
  if (bucket === undefined) return new TokenBucket(rate, now, remaining);
  bucket.correct(rate, remaining, now);
  return bucket;
}

/** How much a bucket holds, and how fast it fills. */
interface BucketRate {
  readonly capacity: number;
  readonly perMs: number;
}

/** An allowance that refills steadily, such as 500 requests a minute. Times are milliseconds of one clock. */
class TokenBucket {
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
