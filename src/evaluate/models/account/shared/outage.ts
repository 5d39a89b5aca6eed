import type { LimitState, LoadSign } from '../adaptive-limit.ts';

/** The outcome of a call, with the pause that the server asked for. */
export interface Sample extends LoadSign {
  readonly retryAfterMs: number;
  /** The milliseconds since it was sent. */
  readonly agoMs: number;
}

/**
 * The latest refusals of an account, in the order in which the calls were sent: by the order of the outcomes, of which each process
 * reports many at a time, old answers would hide that none comes any more. Times are milliseconds on the clock of the store.
 */
export interface Refusals {
  /** The time at which the newest call that was answered was sent, or the end of the pause after the last outage. */
  readonly settledAt: number;
  /** The times at which calls were sent after that. All of them were refused, with a pause that the server asks for. */
  readonly sentAt: readonly number[];
  /** The adaptive limit before the first of them. */
  readonly limit: LimitState | null;
}

/** The number of refusals in a row that are an outage. Also of a provider that refuses half of all calls, so many are rare. */
const leastRefused = 16;

/** No refusals. */
export const noRefusals: Refusals = { settledAt: 0, sentAt: [], limit: null };

/** Adds the outcome of a call. `limit` is the adaptive limit before it. */
export function addOutcome(
  before: Refusals,
  { type, agoMs, retryAfterMs }: Pick<Sample, 'type' | 'agoMs' | 'retryAfterMs'>,
  { now, limit }: { readonly now: number; readonly limit: LimitState },
): Refusals {
  const sent = now - agoMs;
  if (sent <= before.settledAt) return before;
  if (type === 'success') {
    const sentAt = before.sentAt.filter((time) => time > sent);
    return { settledAt: sent, sentAt, limit: sentAt.length === 0 ? null : before.limit };
  }
  if (type !== 'refusal' || retryAfterMs === 0 || before.sentAt.length === leastRefused) return before;
  return { ...before, sentAt: [...before.sentAt, sent], limit: before.limit ?? limit };
}

/**
 * Returns whether the provider answers no calls: all that were sent lately were refused, and what was sent with the first of them would
 * have been answered by now. That is a statement about the account rather than a sign of too many calls in flight.
 * @param typicalMs - The latency of a recent answer; undefined when there was none.
 */
export function isOutage({ sentAt }: Refusals, typicalMs: number = Infinity, now: number): boolean {
  return sentAt.length >= leastRefused && now - Math.min(...sentAt) >= 2 * typicalMs;
}

/**
 * Returns the adaptive limit after an outage, from that before its refusals: they say nothing about the load.
 * @param epoch - The epoch of the limit now, whose calls under way do not count any more.
 */
export function limitAfter({ limit }: Refusals, epoch: number, now: number): LimitState | null {
  return (
    limit && { ...limit, epoch: epoch + 1, sent: 0, successes: 0, refusals: 0, answeredMs: 0, since: now }
  );
}
