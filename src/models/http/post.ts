import type { Dispatcher } from 'undici';
import type { SecretRedactor } from '../../lib/redact-secrets.ts';
import { shorten } from '../../lib/terminal-text.ts';
import type { Json } from '../../schema/json.ts';
import { cancelledFailure, type Tried } from '../account/call-with-retries.ts';
import { ModelFailure } from '../model.ts';
import { connectionFailure } from './connection-failure.ts';
import { agentFor } from './agent.ts';
import type { Endpoint } from './endpoint.ts';
import type { JsonObject, StreamAssembler, WireRequest } from './protocol.ts';
import { readEventStream } from './read-event-stream.ts';
import { reportedFailure, statusFailure } from './status-failure.ts';

/** What bounds one request, and how a stream is put together. */
export interface PostSettings {
  readonly signal: AbortSignal;
  readonly timeLimitMs: number;
  readonly assembleStream?: (() => StreamAssembler) | undefined;
}

/** A JSON reply, without secrets. */
export interface Posted {
  readonly reply: JsonObject;
  /** Milliseconds from sending to the first thing that the model wrote; only when the reply was streamed. */
  readonly firstTokenMs?: number;
}

/** The most that one reply may measure. */
const maxReplyBytes = 32 * 1024 * 1024;

/** Sends one request. Never throws: what goes wrong is in what comes back. The socket is closed on abort. */
export async function post(
  endpoint: Endpoint,
  request: WireRequest,
  settings: PostSettings,
): Promise<Tried<Posted>> {
  const { signal, timeLimitMs } = settings;
  const controller = new AbortController();
  const onAbort = () => controller.abort(cancelledFailure(signal));
  const timer = setTimeout(() => controller.abort(timeoutFailure(timeLimitMs)), timeLimitMs);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await send(endpoint, request, { ...settings, signal: controller.signal });
  } catch (error) {
    const { reason } = controller.signal;
    const { host } = new URL(endpoint.origin);
    if (reason instanceof ModelFailure) return { failure: reason };
    return { failure: error instanceof ModelFailure ? error : connectionFailure(error, host) };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

async function send(
  endpoint: Endpoint,
  { path, body }: WireRequest,
  settings: PostSettings,
): Promise<Tried<Posted>> {
  const { signal, assembleStream } = settings;
  const { redactor } = endpoint;
  const sent = performance.now();
  const agent = await agentFor(endpoint.account);
  const response = await agent.request({
    origin: endpoint.origin,
    path: endpoint.pathOf(path),
    method: 'POST',
    headers: { ...endpoint.headers },
    body: JSON.stringify(body),
    signal,
  });
  response.body.on('error', () => {}); // Giving up on a body half-way is no news.
  const { statusCode: status, headers } = response;
  try {
    if (status < 200 || status >= 300) return await readError(response, endpoint);
    const isStream = headers['content-type']?.toString().startsWith('text/event-stream') === true;
    const posted =
      isStream && assembleStream !== undefined
        ? await readStream(response.body, assembleStream(), { sent, redactor })
        : { reply: parseReply(await readText(response.body), headers, redactor) };
    // A secret that came in several pieces is whole by now.
    return { value: { ...posted, reply: redactor.json(posted.reply) }, status, headers };
  } catch (error) {
    if (!(error instanceof ModelFailure)) throw error;
    return { failure: error, status, headers };
  } finally {
    response.body.destroy();
  }
}

async function readError(
  { statusCode: status, headers, body }: Dispatcher.ResponseData,
  { redactor }: Endpoint,
) {
  // The status is what matters: a body that cannot be read must not hide it.
  const text = await readText(body).catch(() => '');
  const failure = statusFailure({ status, headers, text, redact: redactor.text });
  const { code, message, retryable, retryAfterMs } = failure;
  const exchange = { reply: shorten(redactor.text(text), 2000) };
  return {
    failure: new ModelFailure(code, message, { status, retryable, retryAfterMs, exchange }),
    status,
    headers,
  };
}

async function readStream(
  body: AsyncIterable<Uint8Array>,
  assembler: StreamAssembler,
  { sent, redactor }: { readonly sent: number; readonly redactor: SecretRedactor },
): Promise<{ reply: JsonObject; firstTokenMs?: number }> {
  let firstTokenMs: number | undefined;
  for await (const event of readEventStream(limited(body))) {
    if (event.data === '[DONE]') continue;
    // Before anything is quoted: a message that cuts a secret in two would show half of it.
    const shown = { ...event, data: redactor.text(event.data) };
    if (assembler.add(shown)) firstTokenMs ??= Math.round((performance.now() - sent) * 1000) / 1000;
  }
  const reply = assembler.finish();
  if (reply === undefined) {
    throw new ModelFailure('connection-failed', 'The stream ended before the reply was complete.', {
      retryable: true,
    });
  }
  return { reply: asObject(reply, redactor), ...(firstTokenMs !== undefined && { firstTokenMs }) };
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const chunks: Uint8Array[] = [];
  for await (const chunk of limited(body)) chunks.push(chunk);
  try {
    return decoder.decode(Buffer.concat(chunks));
  } catch {
    throw invalidReply('The reply is not valid UTF-8 text.');
  }
}

async function* limited(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxReplyBytes) {
      throw new ModelFailure('invalid-reply', `The reply is longer than ${maxReplyBytes / 2 ** 20} MiB.`);
    }
    yield chunk;
  }
}

/** Servers mislabel JSON; so the text decides, not the content type. */
function parseReply(
  text: string,
  headers: Dispatcher.ResponseData['headers'],
  redactor: SecretRedactor,
): JsonObject {
  const type = headers['content-type']?.toString() ?? '';
  try {
    return asObject(JSON.parse(text) as Json, redactor);
  } catch (error) {
    if (error instanceof ModelFailure) throw error;
    const kind = type === '' ? 'without a content type' : `of the type ${type}`;
    throw invalidReply(`The reply, ${kind}, is not JSON: ${shorten(redactor.text(text).trim(), 300)}`);
  }
}

function asObject(value: Json, redactor: SecretRedactor): JsonObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const shown = JSON.stringify(redactor.json(value));
    throw invalidReply(`The reply is JSON, but no object: ${shorten(shown, 300)}`);
  }
  const { error } = value;
  if (error !== undefined && error !== null) throw reportedFailure(redactor.json(error));
  return value;
}

function invalidReply(message: string): ModelFailure {
  return new ModelFailure('invalid-reply', message, { retryable: true });
}

function timeoutFailure(timeLimitMs: number): ModelFailure {
  return new ModelFailure('timeout', `no reply within ${timeLimitMs} ms`, { retryable: true });
}
