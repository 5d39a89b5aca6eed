import type { Agent } from 'undici';
import { TouchstoneError } from '../../../core/errors.ts';
import { createAgent } from '../../../core/lib/network/agent.ts';
import { explainConnectionFault } from '../../../core/lib/network/connection-error.ts';
import { InflateFault } from '../../../core/lib/network/inflate.ts';
import type { IncomingReply } from '../../../core/lib/network/send-request.ts';
import type { Message } from '../../../core/schema/message.ts';
import {
  processRateLimiter,
  type RateLimitedAccount,
  type RateLimiter,
} from '../../models/account/rate-limiter.ts';
import {
  abortedFailure,
  type Reply,
  type TargetContext,
  TargetFailure,
  type TargetRequest,
  type TargetSession,
} from '../target.ts';
import { answerTooLarge } from '../reply/read-text.ts';
import { addLogs } from '../reply/read-reply-text.ts';
import { keepConversation } from './bot-conversation.ts';
import { type BotSession, createSessions, type SessionReply } from './bot-session.ts';
import { callOnAccount, type Sent } from './call-on-account.ts';
import {
  createRedactor,
  readHttpReply,
  type Received,
  type Redactor,
  type ReplyPaths,
} from './read-http-reply.ts';
import { readBody, receiveBody, type ReceiveSettings, statusFailure } from './receive-body.ts';
import type { StreamSetting } from './streams/stream-option.ts';
import type { HttpRequest, RequestPlan } from './request-plan.ts';

/** The connections of one target, with what its requests are built from. */
export interface Client {
  readonly plan: RequestPlan;
  readonly agent: Agent;
  readonly redactor: Redactor;
  /** The account of the server. All calls of the same server share its limits. */
  readonly account: RateLimitedAccount;
  /** Finds what the bot knows a conversation by. */
  readonly sessionOf: (session: TargetSession) => BotSession;
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
  const { variables } = plan;
  const sessionOf = createSessions({ agent, variables, redactor, keepsCookies: options.cookies !== false });
  return { plan, agent, redactor, account, sessionOf };
}

/** Options for the connection, the account and the conversations. */
export interface ConnectionOptions {
  readonly cookies?: boolean;
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
  const { account, plan } = client;
  const session = client.sessionOf(request.session);
  let { redactor } = client;
  try {
    if (context.signal.aborted) throw abortedFailure(context.signal);
    const built = plan.build(request);
    const tryOnce = async (): Promise<Sent> => {
      const sent = await send(session, built, { context, options });
      redactor = sent.redactor ?? redactor;
      const { headers, status, note = '' } = sent;
      if (sent.body === undefined) return { headers, status, failure: sent.failure };
      const failure = failedStream(sent.body, request.messages, redactor);
      if (failure !== undefined) return { headers, status, failure };
      const reply = readHttpReply(sent.body, options, redactor);
      const notes = [note, keepConversation(request.session, sent.body, options.conversation)];
      return { headers, status, reply: addLogs(reply, notes.filter((each) => each !== '').join('\n')) };
    };
    return await callOnAccount(account, tryOnce, { context, maxWaitMs: options.maxWaitMs, body: built.body });
  } catch (error) {
    throw redactor.failure(error);
  }
}

/** The outcome of one request: a body, or why there is none. */
type Answered = Partial<Omit<SessionReply, 'body'>> &
  (
    | { readonly body: Received; readonly failure?: never }
    | { readonly failure: TargetFailure | TouchstoneError; readonly body?: never }
  );

async function send(
  session: BotSession,
  request: HttpRequest,
  { context: { signal }, options }: CallSettings,
): Promise<Answered> {
  let received: Partial<Omit<SessionReply, 'body'>> = {};
  try {
    const sentAt = performance.now();
    const { body, ...head } = await session.send(request, signal);
    received = head;
    const { allowErrorStatus, stream, conversation } = options;
    const redact = head.redactor.text;
    const rules = { redact, allowErrorStatus, stream, conversation, sentAt, signal };
    return { ...received, body: await readResponse({ ...head, body }, rules) };
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

/**
 * Returns why a stream is no answer, with the conversation as far as it came; undefined for what may be read as one.
 * @param messages - The conversation up to the question.
 */
function failedStream(
  received: Received,
  messages: readonly Message[],
  redactor: Redactor,
): TargetFailure | undefined {
  if (!('value' in received) || received.failure === undefined) return undefined;
  const said = readSoFar(received, redactor);
  return said.length === 0
    ? received.failure
    : received.failure.with({ partial: { transcript: [...messages, ...said] } });
}

/** Reads what came of an answer; nothing where that cannot be read by itself. */
function readSoFar(received: Received, redactor: Redactor): Message[] {
  try {
    const { transcript, answer, toolCalls } = readHttpReply(received, {}, redactor);
    if (transcript !== undefined) return transcript;
    if (answer === null && toolCalls.length === 0) return [];
    return [{ role: 'assistant', content: answer, ...(toolCalls.length > 0 && { toolCalls }) }];
  } catch {
    return [];
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
