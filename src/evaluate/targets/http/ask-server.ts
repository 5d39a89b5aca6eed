import { TouchstoneError } from '../../../core/errors.ts';
import { explainConnectionFault } from '../../../core/lib/network/connection-error.ts';
import { InflateFault } from '../../../core/lib/network/inflate.ts';
import type { IncomingReply } from '../../../core/lib/network/send-request.ts';
import type { Message } from '../../../core/schema/message.ts';
import {
  abortedFailure,
  type Reply,
  type TargetContext,
  TargetFailure,
  type TargetRequest,
} from '../target.ts';
import { answerTooLarge } from '../reply/read-text.ts';
import { addLogs } from '../reply/read-reply-text.ts';
import { keepConversation } from './bot-conversation.ts';
import type { BotSession, SessionReply, SessionRequest } from './bot-session.ts';
import { callOnAccount, type Sent } from './call-on-account.ts';
import type { Client } from './client.ts';
import { fetchAnswer, type PollSettings } from './poll.ts';
import { readHttpReply, type Received, type Redactor, type ReplyPaths } from './read-http-reply.ts';
import { readBody, receiveBody, type ReceiveSettings, statusFailure } from './receive-body.ts';
import { filesOf } from './sent-attachments.ts';
import type { StreamSetting } from './streams/stream-option.ts';

/** The limits of a call, and how to read its reply. */
export interface CallSettings {
  readonly context: TargetContext;
  readonly options: ReplyPaths & {
    readonly allowErrorStatus: boolean;
    readonly maxWaitMs?: number;
    readonly stream?: StreamSetting;
    readonly conversation?: string;
    readonly poll?: PollSettings;
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
  try {
    if (context.signal.aborted) throw abortedFailure(context.signal);
    const files = await filesOf(request, context);
    const built = plan.build(request, undefined, files);
    const build: SessionRequest['build'] = (given) =>
      given === undefined ? built : plan.build(request, given, files);
    const tryOnce = async (): Promise<Sent> => {
      const sent = await send(session, { request, build }, { context, options });
      const { headers, status, sentAt, note = '' } = sent;
      const head = { headers, status, sentAt };
      if (sent.body === undefined) return { ...head, failure: sent.failure };
      const redactor = session.redactor();
      const failure = failedStream(sent.body, request.messages, redactor);
      if (failure !== undefined) return { ...head, failure };
      const read = readHttpReply(sent.body, options, redactor);
      const notes = [note, keepConversation(request.session, sent.body, options.conversation)];
      const reply = addLogs(read, notes.filter((each) => each !== '').join('\n'));
      return { ...head, reply: sent.polled === undefined ? reply : { ...reply, polled: sent.polled } };
    };
    return await callOnAccount(account, tryOnce, { context, maxWaitMs: options.maxWaitMs, ...built });
  } catch (error) {
    throw session.redactor().failure(error);
  }
}

/** The outcome of one request: a body, or why there is none. */
type Answered = Partial<Omit<SessionReply, 'body'>> & { readonly polled?: number } & (
    | { readonly body: Received; readonly failure?: never }
    | { readonly failure: TargetFailure | TouchstoneError; readonly body?: never }
  );

async function send(
  session: BotSession,
  asked: SessionRequest,
  { context, options }: CallSettings,
): Promise<Answered> {
  const { signal } = context;
  let received: Partial<Omit<SessionReply, 'body'>> = {};
  try {
    const { body, ...head } = await session.send(asked, context);
    received = head;
    const { sentAt } = head;
    const { allowErrorStatus, stream, conversation, poll } = options;
    const fetched =
      poll && (await fetchAnswer({ ...head, body }, { settings: poll, session, asked, context }));
    if (fetched !== undefined) return { ...received, ...fetched, sentAt: sentAt + fetched.loggingInMs };
    const redact = session.redactor().text;
    const rules = { redact, allowErrorStatus, stream, conversation, sentAt, signal };
    return { ...received, body: await readResponse({ ...head, body }, rules) };
  } catch (error) {
    if (signal.aborted) return { ...received, failure: abortedFailure(signal) };
    return { ...received, failure: toFailure(error, asked.build(undefined).url) };
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
  if (error instanceof TargetFailure) return error;
  if (error instanceof TouchstoneError) return new TargetFailure(error.code, error.message);
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
  if (kind === 'untrusted') return new TargetFailure('certificate-refused', message);
  if (kind === 'unsendable') return new TargetFailure('invalid-request', message);
  if (kind === 'garbled') return new TargetFailure('invalid-reply', message);
  return new TargetFailure('connection-failed', message, { retryable: !isPermanent });
}
