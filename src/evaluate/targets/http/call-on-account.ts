import { messageOf, type TouchstoneError } from '../../../core/errors.ts';
import { type CallRecord, callWithRetries, type Tried } from '../../models/account/call-with-retries.ts';
import type { RateLimitedAccount } from '../../models/account/rate-limiter.ts';
import { ModelFailure } from '../../models/model-failure.ts';
import { abortedFailure, type Reply, type TargetContext, TargetFailure } from '../target.ts';

/** The outcome of one request, with the status, the headers that state the server's limits, and the time of the sending. */
export type Sent = Pick<Tried<Reply>, 'headers' | 'status' | 'sentAt'> &
  (
    | { readonly reply: Reply; readonly failure?: never }
    | { readonly failure: TargetFailure | TouchstoneError; readonly reply?: never }
  );

/** The limits of a call and its repeats. */
export interface AccountCall {
  readonly context: TargetContext;
  /** The most milliseconds of waiting after refusals. */
  readonly maxWaitMs?: number;
  /** The characters of the request, without the characters of files. */
  readonly textLength: number;
}

const defaultMaxWaitMs = 300_000;

/**
 * Makes a call when the account permits it, and repeats it after refusals and transient failures. The reply's latency
 * is the latency of the answered request, without any waiting. Throws `TargetFailure` with the latency of the last request.
 */
export async function callOnAccount(
  account: RateLimitedAccount,
  tryOnce: () => Promise<Sent>,
  { context, maxWaitMs = defaultMaxWaitMs, textLength }: AccountCall,
): Promise<Reply> {
  const { signal, onWaiting, repeats } = context;
  const rules = {
    signal,
    onWaiting,
    maxRetries: repeats?.most ?? 0,
    maxWaitMs,
    mayRepeat: async (onRepeatWaiting: (isWaiting: boolean) => void) =>
      (await repeats?.take(onRepeatWaiting)) ?? true,
    tokens: Math.ceil((textLength / 4) * 1.5),
  };
  try {
    const record = await callWithRetries(account, () => attempt(account, tryOnce), rules);
    return toReply(record);
  } catch (error) {
    throw toTargetFailure(error, context);
  }
}

async function attempt(account: RateLimitedAccount, tryOnce: () => Promise<Sent>): Promise<Tried<Reply>> {
  try {
    const { reply, failure, ...head } = await tryOnce();
    if (failure !== undefined) return { failure: toModelFailure(failure, account), ...head };
    const { inputTokens = 0, outputTokens = 0 } = reply.usage ?? {};
    return { value: reply, ...head, ...(reply.usage && { tokens: inputTokens + outputTokens }) };
  } catch (error) {
    return { failure: toModelFailure(error, account) };
  }
}

/**
 * Converts a failure of the target for the account. A server that refuses every call without stating a pause is not
 * overloaded but down, which is a fault.
 */
function toModelFailure(error: unknown, account: RateLimitedAccount): ModelFailure {
  if (!(error instanceof TargetFailure)) {
    return new ModelFailure('target-threw', messageOf(error), { cause: error });
  }
  const { code, message, retryable, retryAfterMs } = error;
  const isDown = code === 'overloaded' && retryAfterMs === undefined && !account.isAnswering;
  return new ModelFailure(isDown ? 'server-error' : code, message, {
    retryable,
    retryAfterMs,
    cause: error,
  });
}

function toReply({ value, latencyMs, attempts }: CallRecord<Reply>): Reply {
  const retries = attempts.length - 1;
  const { polled, ...reply } = value;
  const { firstTokenMs } = reply;
  const latency = {
    totalMs: latencyMs,
    ...(firstTokenMs !== undefined && { firstTokenMs }),
    ...(polled !== undefined && { polled }),
  };
  return { ...reply, latency, ...(retries > 0 && { retries }) };
}

/**
 * Converts the final failure of a call. When repeats were up to this call, the result is not retryable, so that no
 * caller repeats it once more.
 */
function toTargetFailure(error: unknown, { signal, repeats }: TargetContext): unknown {
  if (!(error instanceof ModelFailure)) return error;
  const {
    attempts,
    code,
    message,
    retryable,
    cause = new TargetFailure(code, message, { retryable }),
  } = error;
  const failure = signal.aborted ? abortedFailure(signal) : cause;
  const partial = cause instanceof TargetFailure ? cause.partial : undefined;
  if (!(failure instanceof TargetFailure)) return cause;
  const totalMs = attempts.at(-1)?.latencyMs;
  return failure.with({
    ...(failure === cause && { message }), // They also say that the server asks for too long a wait.
    retryable: failure.retryable && repeats === undefined,
    latency: totalMs === undefined ? null : { totalMs },
    partial: { ...partial, retries: Math.max(0, attempts.length - 1) },
  });
}
