import { AdaptiveLimit, type LimitBounds } from './adaptive-limit.ts';
import { type Allowance, type Headers, readAllowances } from './read-allowances.ts';
import { TokenBucket } from './token-bucket.ts';

/** Limits that a user sets for an account; the strictest of all models that share it counts. */
export interface AccountLimits {
  readonly maxConcurrency?: number | undefined;
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
}

/** What a call is expected to take from the account. */
export interface CallDemand {
  readonly signal: AbortSignal;
  /** Tokens in and out, estimated. */
  readonly tokens: number;
  /** Goes before calls that have not been tried yet, so that a few unlucky ones do not end up last. */
  readonly isRetry: boolean;
}

/** What became of a call. */
export interface CallOutcome {
  /** `refused`: rate limit or overload. `failed`: anything else that says nothing of the load. */
  readonly type: 'answered' | 'refused' | 'failed';
  readonly latencyMs: number;
  readonly headers?: Headers | undefined;
  readonly retryAfterMs?: number | undefined;
  readonly tokens?: number | undefined;
}

/** The right to make one call. `release` must be called once, whatever happens. */
export interface Permit {
  release(outcome: CallOutcome): void;
}

interface Waiter {
  readonly demand: CallDemand;
  readonly grant: (permit: Permit) => void;
}

const signs = { answered: 'success', refused: 'refusal', failed: 'none' } as const;
const defaultBounds: LimitBounds = { initial: 50, max: 1000 };

/**
 * One account with a provider: whoever uses the same address and key shares its limits. Calls wait here, before their
 * time is measured, for a place among those in flight, for the allowances and for the end of a pause.
 */
export class Account {
  readonly #retries: Waiter[] = [];
  readonly #calls: Waiter[] = [];
  #limit = new AdaptiveLimit(defaultBounds);
  #maxConcurrency = defaultBounds.max;
  #inFlight = 0;
  #ownRequests: TokenBucket | undefined;
  #ownTokens: TokenBucket | undefined;
  #reportedRequests: TokenBucket | undefined;
  #reportedTokens: TokenBucket | undefined;
  #limits: AccountLimits = {};
  #pausedUntil = 0;
  #typicalMs: number | undefined;
  #answeredAt = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  /** Milliseconds that an answer has taken of late; undefined before the first. */
  get typicalMs(): number | undefined {
    return this.#typicalMs;
  }

  /** Whether an answer has come of late: within the time that a few of them take. */
  get isAnswering(): boolean {
    return performance.now() - this.#answeredAt <= 5 * (this.#typicalMs ?? 0);
  }

  /** Calls that may be in flight at the moment. */
  get concurrency(): number {
    return Math.min(this.#limit.value, this.#maxConcurrency);
  }

  /** Adds limits to those already there. */
  restrict(limits: AccountLimits): void {
    const now = performance.now();
    const { maxConcurrency, requestsPerMinute, tokensPerMinute } = limits;
    const [requests, tokens] = [this.#limits.requestsPerMinute, this.#limits.tokensPerMinute];
    if (maxConcurrency !== undefined) this.#maxConcurrency = Math.min(this.#maxConcurrency, maxConcurrency);
    if (requestsPerMinute !== undefined && requestsPerMinute < (requests ?? Infinity)) {
      this.#ownRequests = createAllowance(requestsPerMinute, now);
      this.#limits = { ...this.#limits, requestsPerMinute };
    }
    if (tokensPerMinute !== undefined && tokensPerMinute < (tokens ?? Infinity)) {
      this.#ownTokens = createAllowance(tokensPerMinute, now);
      this.#limits = { ...this.#limits, tokensPerMinute };
    }
  }

  /** Waits for the right to make a call. Rejects with the signal's reason when it is aborted first. */
  async acquire(demand: CallDemand): Promise<Permit> {
    demand.signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Permit>();
    const waiter: Waiter = { demand, grant: resolve };
    const queue = demand.isRetry ? this.#retries : this.#calls;
    const leave = () => {
      const place = queue.indexOf(waiter);
      if (place === -1) return;
      queue.splice(place, 1);
      reject(demand.signal.reason as Error);
      this.#serve();
    };
    queue.push(waiter);
    demand.signal.addEventListener('abort', leave, { once: true });
    this.#serve();
    try {
      return await promise;
    } finally {
      demand.signal.removeEventListener('abort', leave);
    }
  }

  #serve(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    while (this.#inFlight < this.concurrency) {
      const queue = this.#retries.length > 0 ? this.#retries : this.#calls;
      const [next] = queue;
      if (next === undefined) return;
      const waitMs = this.#waitMs(next.demand);
      if (waitMs > 0) {
        this.#timer = setTimeout(() => this.#serve(), waitMs);
        return;
      }
      queue.shift();
      next.grant(this.#createPermit(next.demand.tokens));
    }
  }

  #waitMs(demand: CallDemand): number {
    const now = performance.now();
    const waits = [
      this.#pausedUntil - now,
      this.#ownRequests?.waitMs(1, now) ?? 0,
      this.#ownTokens?.waitMs(demand.tokens, now) ?? 0,
      this.#reportedRequests?.waitMs(1, now) ?? 0,
      this.#reportedTokens?.waitMs(demand.tokens, now) ?? 0,
    ];
    return Math.ceil(Math.max(...waits));
  }

  #createPermit(tokens: number): Permit {
    this.#inFlight += 1;
    this.#take(1, tokens);
    const epoch = this.#limit.start();
    let isReleased = false;
    return {
      release: (outcome) => {
        if (isReleased) return;
        isReleased = true;
        const isBusy = this.#inFlight >= this.concurrency * 0.75;
        this.#inFlight -= 1;
        this.#take(0, (outcome.tokens ?? tokens) - tokens);
        this.#learn(outcome, { epoch, isBusy });
        this.#serve();
      },
    };
  }

  #take(requests: number, tokens: number): void {
    const now = performance.now();
    this.#ownRequests?.take(requests, now);
    this.#ownTokens?.take(tokens, now);
    this.#reportedRequests?.take(requests, now);
    this.#reportedTokens?.take(tokens, now);
  }

  #learn(outcome: CallOutcome, sent: { readonly epoch: number; readonly isBusy: boolean }): void {
    if (outcome.headers !== undefined) this.#believe(outcome.headers);
    const { latencyMs } = outcome;
    const isFlood = this.#limit.record({ type: signs[outcome.type], latencyMs, ...sent });
    if (isFlood) this.#pause(outcome.retryAfterMs ?? 0);
    if (outcome.type !== 'answered') return;
    this.#answeredAt = performance.now();
    const before = this.#typicalMs ?? latencyMs;
    this.#typicalMs = before + (latencyMs - before) / 8;
  }

  #pause(milliseconds: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, performance.now() + milliseconds);
  }

  #believe(headers: Headers): void {
    const { requests, tokens } = readAllowances(headers);
    if (requests !== undefined) this.#reportedRequests = updated(this.#reportedRequests, requests);
    if (tokens !== undefined) this.#reportedTokens = updated(this.#reportedTokens, tokens);
  }
}

/** An allowance for each minute that lets no more than three seconds' worth through at once. */
function createAllowance(perMinute: number, now: number): TokenBucket {
  return new TokenBucket({ capacity: Math.max(1, perMinute / 20), perMs: perMinute / 60_000 }, now);
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
