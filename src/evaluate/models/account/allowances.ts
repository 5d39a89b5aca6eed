import { type Allowance, type Headers, readAllowances } from './read-allowances.ts';
import { type BucketRate, TokenBucket } from './token-bucket.ts';

/** The amounts that a call takes from allowances. */
export interface Take {
  readonly requests: number;
  readonly tokens: number;
}

/** The allowances per minute that a user sets; the strictest applies. */
export interface OwnAllowances {
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
}

type Kind = keyof Take;
const kinds = ['requests', 'tokens'] as const satisfies readonly Kind[];

/**
 * The allowances of requests and tokens per minute: those that the user sets, and those that the provider reports in
 * headers.
 */
export class Allowances {
  readonly #own: { [kind in Kind]?: { readonly perMinute: number; readonly bucket: TokenBucket } } = {};
  readonly #reported: { [kind in Kind]?: TokenBucket } = {};

  /** Adds allowances to those already there. */
  restrict({ requestsPerMinute, tokensPerMinute }: OwnAllowances): void {
    this.#restrict('requests', requestsPerMinute);
    this.#restrict('tokens', tokensPerMinute);
  }

  /** Returns the milliseconds until there is enough of everything. */
  waitMs(needed: Take): number {
    const now = performance.now();
    const waits = this.#buckets().map(({ kind, bucket }) => bucket.waitMs(needed[kind], now));
    return Math.max(0, ...waits);
  }

  /** Returns the milliseconds until there is enough of the allowances that the provider reports. */
  reportedWaitMs(needed: Take): number {
    const now = performance.now();
    const waits = kinds.map((kind) => this.#reported[kind]?.waitMs(needed[kind], now) ?? 0);
    return Math.max(...waits);
  }

  /** Takes from all allowances, even into debt; a negative amount is returned to them. */
  take(taken: Take): void {
    const now = performance.now();
    for (const { kind, bucket } of this.#buckets()) bucket.take(taken[kind], now);
  }

  /** Updates the reported allowances from the headers of a reply. */
  update(headers: Headers): void {
    const reported = readAllowances(headers);
    for (const kind of kinds) {
      const allowance = reported[kind];
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

/** Creates an allowance per minute that lets no more than three seconds' worth through at once. */
function createAllowance(perMinute: number): TokenBucket {
  return createFull({ capacity: Math.max(1, perMinute / 20), perMs: perMinute / 60_000 }, performance.now());
}

/** Creates a full bucket. */
export function createFull(rate: BucketRate, at: number, level: number = rate.capacity): TokenBucket {
  return new TokenBucket({ ...rate, level, at });
}

/** Updates a bucket by what the provider reports of it; creates it when there is none. */
export function updated(
  bucket: TokenBucket | undefined,
  { limit, remaining, resetMs }: Allowance,
  now: number = performance.now(),
): TokenBucket {
  const used = limit - remaining;
  const perMs = used > 0 && resetMs > 0 ? used / resetMs : limit / 60_000;
  const rate = { capacity: limit, perMs };
  if (bucket === undefined) return createFull(rate, now, remaining);
  bucket.correct(rate, remaining, now);
  return bucket;
}
