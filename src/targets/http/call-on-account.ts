import type { Account } from '../../models/account/account.ts';
import { type CallRecord, callWithRetries, type Tried } from '../../models/account/call-with-retries.ts';
import type { Headers } from '../../models/account/read-allowances.ts';
import { ModelFailure } from '../../models/model.ts';
import { messageOf } from '../../errors.ts';
import { type Reply, type TargetContext, TargetFailure } from '../target.ts';
import { abortedFailure } from '../until-aborted.ts';

/** What came of one request, with what the server said of its limits. */
export type Sent = { readonly headers: Headers | undefined } & (
  | { readonly reply: Reply; readonly failure?: never }
  | { readonly failure: TargetFailure; readonly reply?: never }
);

/** What bounds a call and its repeats. */
export interface AccountCall {
  readonly context: TargetContext;
  /** Most milliseconds of waiting after refusals. */
  readonly maxWaitMs?: number | undefined;
  /** What is sent. */
  readonly body: string | null;
}

const defaultMaxWaitMs = 300_000;

/**
 * Makes a call when the account lets it, and again after refusals and passing faults. The reply's latency is that of the
 * request that was answered, without any waiting. Throws `TargetFailure` with the latency of the last request.
 */
export async function callOnAccount(
  account: Account,
  tryOnce: () => Promise<Sent>,
  { context, maxWaitMs = defaultMaxWaitMs, body }: AccountCall,
): Promise<Reply> {
  const { signal, onWaiting, repeats } = context;
  const rules = {
    signal,
    onWaiting,
    maxRetries: repeats?.most ?? 0,
    maxWaitMs,
    mayRepeat: repeats && (() => repeats.take()),
    tokens: Math.ceil(((body?.length ?? 0) / 4) * 1.5),
  };
  try {
    const record = await callWithRetries(account, () => attempt(account, tryOnce), rules);
    return toReply(record);
  } catch (error) {
    throw toTargetFailure(error, context);
  }
}

async function attempt(account: Account, tryOnce: () => Promise<Sent>): Promise<Tried<Reply>> {
  try {
    const { reply, failure, headers } = await tryOnce();
    if (failure !== undefined) return { failure: toModelFailure(failure, account), headers };
    const { inputTokens = 0, outputTokens = 0 } = reply.usage ?? {};
    return { value: reply, headers, ...(reply.usage && { tokens: inputTokens + outputTokens }) };
  } catch (error) {
    return { failure: toModelFailure(error, account) };
  }
}

/** A server that refuses everybody without saying for how long is not overloaded but down: that is a fault. */
function toModelFailure(error: unknown, account: Account): ModelFailure {
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
  return { ...value, latency: { totalMs: latencyMs }, ...(retries > 0 && { retries }) };
}

/** What was to be repeated has been: where that was up to this call, nobody else is to do it again. */
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
  if (!(failure instanceof TargetFailure)) return cause;
  const totalMs = attempts.at(-1)?.latencyMs;
  return failure.with({
    retryable: failure.retryable && repeats === undefined,
    latency: totalMs === undefined ? null : { totalMs },
    partial: { retries: Math.max(0, attempts.length - 1) },
  });
}
