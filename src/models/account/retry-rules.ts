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
export function isRefusal(code: string): code is 'rate-limited' | 'overloaded' {
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
export interface AccountMood {
  /** Milliseconds that an answer takes; undefined when none has come yet. */
  readonly typicalMs: number | undefined;
  /** Whether answers have come recently. */
  readonly isAnswering: boolean;
  /** Milliseconds since the last answer; Infinity before the first. */
  readonly silentMs: number;
}

/**
 * Milliseconds before the next attempt: what the provider asked for, else up to a quarter of the time that an answer takes,
 * with chance in it so that calls do not come back together. From the fifth refusal of one call on it grows a little: a
 * provider that gives so many answers a second is not to be asked far more often. It doubles while nobody is answered.
 */
export function pauseAfter(
  { retryAfterMs }: ModelFailure,
  { length: failures }: readonly ChatAttempt[],
  { typicalMs = 2000, isAnswering, silentMs }: AccountMood,
): number {
  const base = Math.min(2000, Math.max(10, typicalMs / 4));
  if (retryAfterMs !== undefined) return retryAfterMs + Math.random() * Math.min(base, 250);
  const patient = base * 2 ** Math.min(3, Math.max(0, failures - 4));
  // Not longer than the silence asks for: the call may have been unlucky before it began.
  const silent = Math.min(base * 2 ** (failures - 1), silentMs / 2);
  const most = isAnswering ? patient : Math.max(patient, silent);
  return Math.min(longestPauseMs, most * (0.5 + Math.random() / 2));
}
