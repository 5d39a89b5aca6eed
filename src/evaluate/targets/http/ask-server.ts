import type { Agent } from 'undici';
import { messageOf, TouchstoneError } from '../../../core/errors.ts';
import { createAgent } from '../../../core/lib/network/agent.ts';
import { explainConnectionFault } from '../../../core/lib/network/connection-error.ts';
import { InflateFault } from '../../../core/lib/network/inflate.ts';
import { type IncomingReply, sendRequest } from '../../../core/lib/network/send-request.ts';
import { type CallRecord, callWithRetries, type Tried } from '../../models/account/call-with-retries.ts';
import {
  processRateLimiter,
  type RateLimitedAccount,
  type RateLimiter,
} from '../../models/account/rate-limiter.ts';
import type { Headers } from '../../models/account/read-allowances.ts';
import { ModelFailure } from '../../models/model-failure.ts';
import {
  abortedFailure,
  type Reply,
  type TargetContext,
  TargetFailure,
  type TargetRequest,
} from '../target.ts';
import { answerTooLarge, maxReplyBytes } from '../reply/read-text.ts';
import { addLogs } from '../reply/read-reply-text.ts';
import { keepConversation } from './bot-conversation.ts';
import { failedStream } from './failed-stream.ts';
import {
  createRedactor,
  readHttpReply,
  type Received,
  type Redactor,
  type ReplyPaths,
} from './read-http-reply.ts';
import { readBody, receiveBody, type ReceiveSettings } from './receive-body.ts';
import type { StreamSetting } from './streams/stream-option.ts';
import type { HttpRequest, RequestPlan } from './request-plan.ts';
import { statusFailure } from './status-failure.ts';

/** The connections of one target, with what its requests are built from. */
export interface Client {
  readonly plan: RequestPlan;
  readonly agent: Agent;
  readonly redactor: Redactor;
  /** The account of the server. All calls of the same server share its limits. */
  readonly account: RateLimitedAccount;
}

/** Creates a client. No connection is made before the first request. */
export async function createClient(
  plan: RequestPlan,
  options: ConnectionOptions,
  rateLimiter: RateLimiter = processRateLimiter,
): Promise<Client> {
  const agent = await createAgent(options.maxConcurrency);
  const redactor = createRedactor(plan.variables);
  const { requestsPerMinute, tokensPerMinute } = options;
  const { origin } = plan.origin;
  const limits = { requestsPerMinute, tokensPerMinute };
  const account = rateLimiter.findAccount(origin, limits, redactor.text(origin));
  return { plan, agent, redactor, account };
}

/** Options for the connection and the account. They change no answer. */
export interface ConnectionOptions {
  readonly maxConcurrency?: number;
  readonly requestsPerMinute?: number;
  readonly tokensPerMinute?: number;
}

/** The limits of a call, and how to read its reply. */
export interface CallSettings {
  readonly context: TargetContext;
  readonly options: ReplyPaths & {
    readonly allowErrorStatus: boolean;
    readonly maxWaitMs?: number;
    readonly stream?: StreamSetting;
    readonly conversation?: string;
  };
}

/**
 * Sends a question when its turn comes, and again after transient failures as often as the caller allows. Throws
 * `TargetFailure` with all secrets removed.
 */
export async function askServer(
  client: Client,
  request: TargetRequest,
  { context, options }: CallSettings,
): Promise<Reply> {
  const { account, plan, redactor } = client;
  try {
    if (context.signal.aborted) throw abortedFailure(context.signal);
    const built = plan.build(request);
    const tryOnce = async (): Promise<Sent> => {
      const { headers, status, ...sent } = await send(client, built, { context, options });
      if (sent.body === undefined) return { headers, status, failure: sent.failure };
      const failure = failedStream(sent.body, request.messages, redactor);
      if (failure !== undefined) return { headers, status, failure };
      const reply = readHttpReply(sent.body, options, redactor);
      const note = keepConversation(request.session, sent.body, options.conversation);
      return { headers, status, reply: addLogs(reply, note) };
    };
    return await callOnAccount(account, tryOnce, { context, maxWaitMs: options.maxWaitMs, body: built.body });
  } catch (error) {
    throw redactor.failure(error);
  }
}

type Answered = { readonly headers?: Headers; readonly status?: number } & (
  | { readonly body: Received; readonly failure?: never }
  | { readonly failure: TargetFailure | TouchstoneError; readonly body?: never }
);

async function send(
  { agent, redactor }: Client,
  request: HttpRequest,
  { context: { signal }, options }: CallSettings,
): Promise<Answered> {
  let received: Pick<Answered, 'headers' | 'status'> = {};
  try {
    const sentAt = performance.now();
    const response = await sendRequest(agent, { ...request, signal }, maxReplyBytes);
    received = { headers: response.headers, status: response.status };
    const { allowErrorStatus, stream, conversation } = options;
    const rules = { redact: redactor.text, allowErrorStatus, stream, conversation, sentAt, signal };
    return { ...received, body: await readResponse(response, rules) };
  } catch (error) {
    if (signal.aborted) return { ...received, failure: abortedFailure(signal) };
    const failure = error instanceof TargetFailure ? error : toFailure(error, request.url);
    return { ...received, failure };
  }
}

interface ResponseRules extends Omit<ReceiveSettings, 'headers'> {
  readonly allowErrorStatus: boolean;
}

async function readResponse(
  { status, headers, body }: IncomingReply,
  { allowErrorStatus, ...rules }: ResponseRules,
): Promise<Received> {
  try {
    if ((status >= 200 && status < 300) || (allowErrorStatus && status >= 400)) {
      return await receiveBody(body, { ...rules, headers });
    }
    // The status matters more than the body: a body that cannot be read must not hide it.
    const text = await readBody(body, headers).then(
      (read) => rules.redact(read.text),
      () => '',
    );
    throw statusFailure({ status, headers, text });
  } finally {
    body.destroy();
  }
}

/** Returns the failure for a request without a complete reply. */
function toFailure(error: unknown, to: URL): TargetFailure | TouchstoneError {
  if (error instanceof InflateFault) {
    return error.isTooLarge
      ? answerTooLarge()
      : new TargetFailure('invalid-reply', `The reply cannot be unpacked: ${error.message}.`);
  }
  const { kind, code, message, isPermanent } = explainConnectionFault(error, to);
  if (/^UND_ERR_(DESTROYED|CLOSED)$/.test(code)) {
    return new TouchstoneError('target-closed', `The connections to ${to.host} were closed during a call.`);
  }
  if (kind === 'proxy-refused') return new TargetFailure('proxy-refused', message);
  if (kind === 'unsendable') return new TargetFailure('invalid-request', message);
  if (kind === 'garbled') return new TargetFailure('invalid-reply', message);
  return new TargetFailure('connection-failed', message, { retryable: !isPermanent });
}

/** The outcome of one request, with the status and the headers that state the server's limits. */
type Sent = { readonly headers: Headers | undefined; readonly status: number | undefined } & (
  | { readonly reply: Reply; readonly failure?: never }
  | { readonly failure: TargetFailure | TouchstoneError; readonly reply?: never }
);

/** The limits of a call and its repeats. */
interface AccountCall {
  readonly context: TargetContext;
  /** The most milliseconds of waiting after refusals. */
  readonly maxWaitMs?: number;
  /** The body of the request. */
  readonly body: string | null;
}

const defaultMaxWaitMs = 300_000;

/**
 * Makes a call when the account permits it, and repeats it after refusals and transient failures. The reply's latency
 * is that of the answered request, without any waiting. Throws `TargetFailure` with the latency of the last request.
 */
async function callOnAccount(
  account: RateLimitedAccount,
  tryOnce: () => Promise<Sent>,
  { context, maxWaitMs = defaultMaxWaitMs, body }: AccountCall,
): Promise<Reply> {
  const { signal, onWaiting, repeats } = context;
  const rules = {
    signal,
    onWaiting,
    maxRetries: repeats?.most ?? 0,
    maxWaitMs,
    mayRepeat: async (onRepeatWaiting: (isWaiting: boolean) => void) =>
      (await repeats?.take(onRepeatWaiting)) ?? true,
    tokens: Math.ceil(((body?.length ?? 0) / 4) * 1.5),
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
    const { reply, failure, headers, status } = await tryOnce();
    if (failure !== undefined) return { failure: toModelFailure(failure, account), headers, status };
    const { inputTokens = 0, outputTokens = 0 } = reply.usage ?? {};
    return { value: reply, headers, status, ...(reply.usage && { tokens: inputTokens + outputTokens }) };
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
  const { firstTokenMs } = value;
  const latency = { totalMs: latencyMs, ...(firstTokenMs !== undefined && { firstTokenMs }) };
  return { ...value, latency, ...(retries > 0 && { retries }) };
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
