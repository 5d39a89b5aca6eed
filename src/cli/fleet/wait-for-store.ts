import { setTimeout as wait } from 'node:timers/promises';
import { messageOf, TouchstoneError } from '../../core/errors.ts';
import { formatTime } from '../../look/report/format.ts';
import { isPassing } from '../../stores/postgres/explain-fault.ts';
import { isBusy } from '../../stores/sqlite/explain-fault.ts';

/** The milliseconds that a worker waits for its store. Whatever watches over workers starts another one after that. */
const usualLimitMs = 600_000;
const [firstPauseMs, longestPauseMs] = [500, 15_000];

/** Returns whether a store over a network cannot be reached now, rather than that something is wrong with it. */
export function isAway(error: unknown): boolean {
  if (!(error instanceof TouchstoneError) || error.code !== 'store-unreadable') return false;
  // Without a cause, it is not known whether the last transaction was stored.
  return error.cause === undefined || isPassing(error);
}

/** Returns whether a fault of a store may pass by itself, since it is away or another process holds it: a full disk stays full. */
export function mayPass(error: unknown): boolean {
  return isAway(error) || (error instanceof TouchstoneError && isBusy(error.cause));
}

/** The needs of a worker that waits for its store. */
export interface StoreWait {
  readonly note: (message: string) => void;
  readonly stop: AbortSignal;
  /** Returns whether an error says that the store is away, rather than that something is wrong with it. */
  readonly isAway: (error: unknown) => boolean;
  /** A sentence on what the worker keeps meanwhile. */
  readonly kept?: string;
  readonly limitMs?: number;
}

/**
 * Uses a store, and waits for it first where it cannot be reached, as when a worker begins during an outage. Throws as
 * `waitUntilBack` does.
 */
export async function whenReachable<Result>(use: () => Promise<Result>, needs: StoreWait): Promise<Result> {
  try {
    return await use();
  } catch (error) {
    if (!needs.isAway(error)) throw error;
    return await waitUntilBack(use, error, needs);
  }
}

/**
 * Says once that a store is away, and uses it again, with pauses that grow, until it is back. Throws `store-unreadable` when it
 * is not back in time, the error of the store when the worker is stopped meanwhile, and any other error as it is.
 */
export async function waitUntilBack<Result>(
  use: () => Promise<Result>,
  away: unknown,
  needs: StoreWait,
): Promise<Result> {
  const { note, stop, isAway, limitMs = usualLimitMs } = needs;
  const end = performance.now() + limitMs;
  note(announce(away, needs));
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    // Workers that have lost their store together do not all come back to it at once.
    const spreadMs = pauseMs * (0.75 + Math.random() / 2);
    const leftMs = Math.max(0, end - performance.now());
    await wait(Math.min(spreadMs, leftMs), undefined, { signal: stop }).catch(() => {}); // An abort is seen below.
    if (stop.aborted) throw away;
    try {
      const result = await use();
      note('The store is back.');
      return result;
    } catch (error) {
      if (!isAway(error)) throw error;
      if (performance.now() >= end) throw stayedAway(error, limitMs);
    }
  }
}

function announce(error: unknown, { kept, limitMs = usualLimitMs }: StoreWait): string {
  const until = formatTime(new Date(Date.now() + limitMs).toISOString());
  const waits = `This worker waits until it is back, until ${until} at most.`;
  return [messageOf(error), waits, kept].filter((part) => part !== undefined).join(' ');
}

function stayedAway(error: unknown, limitMs: number): TouchstoneError {
  const minutes = Math.round(limitMs / 60_000);
  const time = minutes < 1 ? 'in time' : minutes === 1 ? 'within a minute' : `within ${minutes} minutes`;
  return new TouchstoneError(
    'store-unreadable',
    `${messageOf(error)} It was not back ${time}: this worker ends.`,
    {
      remedy:
        'Once the store is back, start workers again, or continue the run with `touchstone run --resume`: the answers so far are stored.',
      cause: error,
    },
  );
}
