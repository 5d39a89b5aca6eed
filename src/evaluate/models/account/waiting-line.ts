import { formatTimeLeft } from '../../../core/lib/text/format-time-left.ts';
import { ModelFailure } from '../model-failure.ts';

/** The expected demand of a call on the account. */
export interface CallDemand {
  readonly signal: AbortSignal;
  /** The estimated tokens, input and output together. */
  readonly tokens: number;
  /**
   * True for a repeat. Repeats go before calls that have not been tried yet, so that a few unlucky ones do not end up
   * last.
   */
  readonly isRetry: boolean;
  /** The longest pauses that the call may wait through, in milliseconds; five minutes by default. */
  readonly maxPauseMs?: number;
}

/** A call that waits for its permit. */
export interface Waiter<Permit> {
  readonly demand: CallDemand;
  /** The milliseconds of the account's pauses that were over when the call came. */
  readonly pausedBefore: number;
  readonly grant: (permit: Permit) => void;
  readonly refuse: (failure: ModelFailure) => void;
}

/** Returns the milliseconds for which a call would have to wait, when that is longer than it may; else undefined. */
type TooLong<Permit> = (waiter: Waiter<Permit>) => number | undefined;

/** The calls that wait on an account, in the order in which they came, repeats before all others. */
export class WaitingLine<Permit> {
  readonly #retries: Waiter<Permit>[] = [];
  readonly #calls: Waiter<Permit>[] = [];

  get length(): number {
    return this.#retries.length + this.#calls.length;
  }

  /** The next call; undefined when none waits. */
  get first(): Waiter<Permit> | undefined {
    return this.#retries[0] ?? this.#calls[0];
  }

  /**
   * Waits until a permit is granted. Rejects with the signal's reason when it is aborted first, and with the failure
   * with which the call is refused.
   * @param onLeave - Called when the call leaves the line because of an abort.
   */
  async join(
    { demand, pausedBefore }: Pick<Waiter<Permit>, 'demand' | 'pausedBefore'>,
    onLeave: () => void,
  ): Promise<Permit> {
    demand.signal.throwIfAborted();
    const { promise, resolve, reject } = Promise.withResolvers<Permit>();
    const waiter: Waiter<Permit> = { demand, pausedBefore, grant: resolve, refuse: reject };
    const queue = demand.isRetry ? this.#retries : this.#calls;
    const leave = () => {
      const place = queue.indexOf(waiter);
      if (place === -1) return;
      queue.splice(place, 1);
      reject(demand.signal.reason as Error);
      onLeave();
    };
    queue.push(waiter);
    demand.signal.addEventListener('abort', leave, { once: true });
    try {
      return await promise;
    } finally {
      demand.signal.removeEventListener('abort', leave);
    }
  }

  /** Takes the first call out of the line, to be granted its permit. */
  shift(): Waiter<Permit> | undefined {
    return this.#retries.length > 0 ? this.#retries.shift() : this.#calls.shift();
  }

  /** Refuses all calls that would have to wait too long. */
  refuseAll(tooLong: TooLong<Permit>): void {
    for (const queue of [this.#retries, this.#calls]) {
      for (const waiter of queue.filter((each) => tooLong(each) !== undefined))
        refuse(queue, waiter, tooLong(waiter) ?? 0);
    }
  }

  /**
   * Refuses calls that would have to wait too long, from the first up to one that would not, for repeats and others
   * separately.
   */
  refuseFirst(tooLong: TooLong<Permit>): void {
    for (const queue of [this.#retries, this.#calls]) {
      for (let [next] = queue; next !== undefined; [next] = queue) {
        const waitMs = tooLong(next);
        if (waitMs === undefined) break;
        refuse(queue, next, waitMs);
      }
    }
  }
}

function refuse<Permit>(queue: Waiter<Permit>[], waiter: Waiter<Permit>, waitMs: number): void {
  queue.splice(queue.indexOf(waiter), 1);
  const message = `asked to wait ${formatTimeLeft(waitMs)}, longer than the call may still wait (\`maxWaitMs\`)`;
  waiter.refuse(new ModelFailure('rate-limited', message, { retryable: true }));
}
