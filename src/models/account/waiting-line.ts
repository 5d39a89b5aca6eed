import { ModelFailure } from '../model-failure.ts';

/** What a call is expected to take from the account. */
export interface CallDemand {
  readonly signal: AbortSignal;
  /** Tokens in and out, estimated. */
  readonly tokens: number;
  /** Goes before calls that have not been tried yet, so that a few unlucky ones do not end up last. */
  readonly isRetry: boolean;
  /** Most milliseconds of pauses that the server asks for; five minutes when left out. */
  readonly maxPauseMs?: number | undefined;
}

/** A call that waits for its permit. */
export interface Waiter<Permit> {
  readonly demand: CallDemand;
  /** Of all pauses of the account in milliseconds, those that were over when it came. */
  readonly pausedBefore: number;
  readonly grant: (permit: Permit) => void;
  readonly refuse: (failure: ModelFailure) => void;
}

const tooLong = 'the server asks to be left alone for longer than a call waits (maxWaitMs)';

/** The calls that wait on an account: in the order in which they came, repeats before all others. */
export class WaitingLine<Permit> {
  readonly #retries: Waiter<Permit>[] = [];
  readonly #calls: Waiter<Permit>[] = [];

  get length(): number {
    return this.#retries.length + this.#calls.length;
  }

  /** Whose turn is next; undefined when nobody waits. */
  get first(): Waiter<Permit> | undefined {
    return this.#retries[0] ?? this.#calls[0];
  }

  /**
   * Waits until a permit is granted. Rejects with the signal's reason when it is aborted first, of which `onLeave` is told,
   * and with the failure with which the call is refused.
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

  /** Takes the first out of the line, to be granted its permit. */
  shift(): Waiter<Permit> | undefined {
    return this.#retries.length > 0 ? this.#retries.shift() : this.#calls.shift();
  }

  /** Refuses all that would have to wait for longer than they may. */
  refuseAll(isTooLong: (waiter: Waiter<Permit>) => boolean): void {
    for (const queue of [this.#retries, this.#calls]) {
      for (const waiter of queue.filter(isTooLong)) refuse(queue, waiter);
    }
  }

  /** Refuses those that would, from the first on up to one that would not: repeats and others apart. */
  refuseFirst(isTooLong: (waiter: Waiter<Permit>) => boolean): void {
    for (const queue of [this.#retries, this.#calls]) {
      for (let [next] = queue; next !== undefined && isTooLong(next); [next] = queue) refuse(queue, next);
    }
  }
}

function refuse<Permit>(queue: Waiter<Permit>[], waiter: Waiter<Permit>): void {
  queue.splice(queue.indexOf(waiter), 1);
  waiter.refuse(new ModelFailure('rate-limited', tooLong, { retryable: true }));
}
