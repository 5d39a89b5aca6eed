import { messageOf } from '../../../core/errors.ts';
import { formatTimeLeft } from '../../../core/lib/text/format-time-left.ts';
import { timeNow } from '../../../core/lib/time.ts';
import { type ChatAttempt, ModelFailure } from '../model-failure.ts';
import type { CallOutcome } from './quota.ts';
import type { RateLimitedAccount } from './rate-limiter.ts';
import type { Headers } from './read-allowances.ts';

/** The result of one request: a value or a failure. `headers` are the reply's, if there was one. */
export type Tried<Value> = {
  readonly headers?: Headers;
  readonly status?: number;
  /** The time on the monotonic clock at which the answered request was sent; by default that at which the try began. */
  readonly sentAt?: number;
} & (
  | { readonly value: Value; readonly tokens?: number; readonly failure?: undefined }
  | { readonly value?: undefined; readonly failure: ModelFailure }
);

/** The limits of a call and its repeats. */
export interface CallRules extends RetryLimits {
  readonly signal: AbortSignal;
  /** Called when the call begins (true) and ends (false) to wait; `isRepeat` is true when it was made before. */
  readonly onWaiting?: (isWaiting: boolean, isRepeat?: boolean) => void;
  /** The estimated tokens, input and output together. */
  readonly tokens: number;
  /**
   * Called before a repeat after a failure other than a refusal; returns false when there are to be no more repeats. Calls
   * `onWaiting` when waiting for that begins (true) and ends (false).
   */
  readonly mayRepeat?: (onWaiting: (isWaiting: boolean) => void) => Promise<boolean>;
}

/** The result of a call, with all its attempts. */
export interface CallRecord<Value> {
  readonly value: Value;
  readonly latencyMs: number;
  readonly attempts: readonly ChatAttempt[];
}

/**
 * Makes a call once the account permits it, and repeats it after transient failures. Refusals are waited out, other
 * failures counted; a permanent failure is not repeated. Throws `ModelFailure` with all attempts.
 */
export async function callWithRetries<Value>(
  account: RateLimitedAccount,
  tryOnce: () => Promise<Tried<Value>>,
  rules: CallRules,
): Promise<CallRecord<Value>> {
  const attempts: ChatAttempt[] = [];
  let pauseMs = 0;
  let refusedMs = 0;
  let last: ModelFailure | undefined;
  for (;;) {
    const asked = performance.now();
    const turn = { rules, pauseMs, attempts, failure: last, maxPauseMs: rules.maxWaitMs - refusedMs };
    const permit = await waitForTurn(account, turn);
    refusedMs += permit.pausedMs;
    const sent = performance.now();
    const startedAt = timeNow();
    const tried = await tryOnce().catch((error: unknown): Tried<Value> => ({ failure: toFailure(error) }));
    const latencyMs = round(performance.now() - (tried.sentAt ?? sent));
    permit.release({ ...toOutcome(tried, latencyMs), waitedMs: sent - asked, status: tried.status });
    const { failure, status } = tried;
    attempts.push({
      startedAt,
      waitedMs: round(sent - asked),
      latencyMs,
      status,
      ...(failure && { error: { code: failure.code, message: failure.message } }),
    });
    if (failure === undefined) return { value: tried.value, latencyMs, attempts };
    pauseMs = pauseAfter(failure, attempts, account);
    last = isRefusal(failure.code)
      ? withTooLongWait(failure, { waitedMs: refusedMs, pauseMs, rules })
      : failure;
    if (isRefusal(failure.code)) refusedMs += pauseMs;
    const isOver = rules.signal.aborted || !isWorthRepeating(failure, attempts, rules, refusedMs);
    if (isOver || !(isRefusal(failure.code) || (await mayRepeat(rules)))) {
      throw last.with({ attempts });
    }
  }
}

/** Returns the failure of a call that was refused in the line: what its last attempt has failed of, if it had one, and why it ends. */
function inLine(refused: ModelFailure, last: ModelFailure | undefined): ModelFailure {
  return last === undefined ? refused : last.with({ message: `${last.message} (${refused.message})` });
}

/** The waits of a call because of refusals: those that are over, and the next one. */
interface RefusedWaits {
  readonly waitedMs: number;
  readonly pauseMs: number;
  readonly rules: RetryLimits;
}

/** Adds to the refusal of a call how long it would have to wait, where that is longer than it may. */
function withTooLongWait(
  failure: ModelFailure,
  { waitedMs, pauseMs, rules: { maxWaitMs, maxRetries } }: RefusedWaits,
): ModelFailure {
  const { message, retryAfterMs } = failure;
  if (maxRetries === 0 || waitedMs + pauseMs <= maxWaitMs) return failure;
  const waited = waitedMs < 1000 ? [] : [`refused for ${formatTimeLeft(waitedMs)}`];
  const asked = retryAfterMs === undefined ? [] : [`asked to wait ${formatTimeLeft(retryAfterMs)}`];
  const why = [...waited, ...asked].join(', then ');
  return failure.with({ message: `${message} (${why}; \`maxWaitMs\` is ${formatTimeLeft(maxWaitMs)})` });
}

async function mayRepeat(rules: CallRules): Promise<boolean> {
  return (await rules.mayRepeat?.((isWaiting) => rules.onWaiting?.(isWaiting, isWaiting))) ?? true;
}

interface Turn {
  readonly rules: CallRules;
  readonly pauseMs: number;
  readonly attempts: readonly ChatAttempt[];
  /** The failure of the previous attempt. */
  readonly failure: ModelFailure | undefined;
  readonly maxPauseMs: number;
}

async function waitForTurn(
  account: RateLimitedAccount,
  { rules, pauseMs, attempts, failure, maxPauseMs }: Turn,
) {
  const { signal, tokens, onWaiting } = rules;
  const isRepeat = attempts.length > 0;
  onWaiting?.(true, isRepeat);
  try {
    if (pauseMs > 0) await account.rest(pauseMs, signal);
    return await account.acquire({ signal, tokens, isRetry: isRepeat, maxPauseMs });
  } catch (error) {
    if (signal.aborted) throw cancelledFailure(signal).with({ attempts });
    throw inLine(toFailure(error), failure).with({ attempts });
  } finally {
    onWaiting?.(false);
  }
}

/** Returns the failure of a call that its caller cancelled. */
export function cancelledFailure(signal: AbortSignal): ModelFailure {
  return new ModelFailure('cancelled', 'the call was stopped', { cause: signal.reason });
}

function toOutcome<Value>({ failure, headers, ...tried }: Tried<Value>, latencyMs: number): CallOutcome {
  if (failure === undefined) {
    const { tokens } = tried as { tokens?: number };
    return { type: 'answered', latencyMs, headers, tokens };
  }
  const { code, retryAfterMs } = failure;
  const refusal = isRefusal(code) ? code : undefined;
  const type = refusal === undefined ? 'failed' : 'refused';
  return { type, refusal, latencyMs, headers, retryAfterMs, tokens: 0 };
}

function toFailure(thrown: unknown): ModelFailure {
  return thrown instanceof ModelFailure
    ? thrown
    : new ModelFailure('model-threw', messageOf(thrown), { cause: thrown });
}

function round(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}

/** The limits of repeating a call. */
interface RetryLimits {
  /** The largest number of repeats after failures other than refusals. */
  readonly maxRetries: number;
  /** The longest wait after refusals, in milliseconds. */
  readonly maxWaitMs: number;
}

/**
 * Codes of failures that are repeated only once: the first may have been bad luck, but a second one is likely to recur,
 * and costs a long wait or money.
 */
const repeatedOnce = new Set(['timeout', 'invalid-reply']);
const longestPauseMs = 60_000;

/**
 * Returns true when a failure means "not now" rather than "not like this": the call has not been worked on and can
 * wait.
 */
function isRefusal(code: string): code is 'rate-limited' | 'overloaded' {
  return code === 'rate-limited' || code === 'overloaded';
}

/** Returns true when a call that failed for the `attempts.length`-th time is repeated. */
function isWorthRepeating(
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

/** The health of an account, as far as it concerns the next attempt. */
interface AccountHealth {
  /** The milliseconds that an answer takes; undefined when none has come yet. */
  readonly typicalMs: number | undefined;
  /** True when answers have come recently. */
  readonly isAnswering: boolean;
  /** Milliseconds since the last answer; Infinity before the first. */
  readonly silentMs: number;
}

/**
 * Returns the milliseconds before the next attempt: the pause that the provider asked for, else up to a quarter of the
 * time that an answer takes, with a random part so that calls do not come back together. From the fifth refusal of one
 * call on, the pause grows a little: a provider that gives a limited number of answers a second should not be asked far
 * more often. It doubles while no call is answered.
 */
function pauseAfter(
  { retryAfterMs }: ModelFailure,
  { length: failures }: readonly ChatAttempt[],
  { typicalMs = 2000, isAnswering, silentMs }: AccountHealth,
): number {
  const base = Math.min(2000, Math.max(10, typicalMs / 4));
  if (retryAfterMs !== undefined) return retryAfterMs + Math.random() * Math.min(base, 250);
  const grown = base * 2 ** Math.min(3, Math.max(0, failures - 4));
  // Not longer than the silence justifies: the call may have been unlucky before the silence began.
  const silent = Math.min(base * 2 ** (failures - 1), silentMs / 2);
  const most = isAnswering ? grown : Math.max(grown, silent);
  return Math.min(longestPauseMs, most * (0.5 + Math.random() / 2));
}
