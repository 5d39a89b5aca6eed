import type { ChatAttempt, ModelFailure } from '../model.ts';

/** How long and how often a call is repeated. */
export interface RetryLimits {
  /** Most repeats after faults other than a refusal. */
  readonly maxRetries: number;
  /** Most milliseconds of waiting after refusals. */
  readonly maxWaitMs: number;
}

/** The first may have been bad luck; what happens twice happens again, and costs a long wait or money. */
const repeatedOnce = new Set(['timeout', 'invalid-reply']);
const longestPauseMs = 60_000;

/** Whether a failure means "not now" rather than "not like this": the call waits, and has not been worked on. */
export function isRefusal(code: string): boolean {
  return code === 'rate-limited' || code === 'overloaded';
}

/** Whether a call that failed for the `attempts.length`-th time is made again. */
export function isWorthRepeating(
  failure: ModelFailure,
  attempts: readonly ChatAttempt[],
  { maxRetries, maxWaitMs }: RetryLimits,
  refusedMs: number,
): boolean {
  if (!failure.retryable || maxRetries === 0) return false;
  if (isRefusal(failure.code)) return refusedMs <= maxWaitMs;
  const faults = attempts.filter(({ error }) => error !== undefined && !isRefusal(error.code));
  const same = faults.filter(({ error }) => error?.code === failure.code);
  return faults.length <= maxRetries && (same.length <= 1 || !repeatedOnce.has(failure.code));
}

/** How the account is doing, as far as the next attempt is concerned. */
export interface AccountState {
  /** Milliseconds that an answer takes; undefined when none has come yet. */
  readonly typicalMs: number | undefined;
  /** Whether answers have come of late. */
  readonly isAnswering: boolean;
}

/**
 * Milliseconds before the next attempt: what the provider asked for, else up to a quarter of the time that an answer takes, with
 * chance in it so that calls do not come back together. Doubled each time while nobody is answered.
 */
export function pauseAfter(
  { retryAfterMs }: ModelFailure,
  { length: failures }: readonly ChatAttempt[],
  { typicalMs = 2000, isAnswering }: AccountState,
): number {
  const base = Math.min(2000, Math.max(10, typicalMs / 4));
  if (retryAfterMs !== undefined) return retryAfterMs + Math.random() * Math.min(base, 250);
  const growth = isAnswering ? 1 : 2 ** (failures - 1);
  return Math.min(longestPauseMs, base * growth * (0.5 + Math.random() / 2));
}
