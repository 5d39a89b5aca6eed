import type { Readable } from 'node:stream';
import { type FilesToSend, noFiles, writeBody } from '../../../core/attachments/files-to-send.ts';
import { connectionErrorCode, explainConnectionFault } from '../../../core/lib/network/connection-error.ts';
import { TouchstoneError } from '../../../core/errors.ts';
import { InflateFault } from '../../../core/lib/network/inflate.ts';
import { type IncomingReply, sendRequest } from '../../../core/lib/network/send-request.ts';
import { readEventStream, type ServerEvent } from '../../../core/lib/network/event-stream.ts';
import { isContainer } from '../../../core/lib/json/is-container.ts';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import { valueAtPath } from '../../../core/lib/objects.ts';
import type { SecretRedactor } from '../../../core/lib/redact-secrets.ts';
import { shorten } from '../../../core/lib/text/terminal-text.ts';
import type { Json } from '../../../core/schema/json.ts';
import { cancelledFailure, type Tried } from '../account/call-with-retries.ts';
import type { Headers } from '../account/read-allowances.ts';
import { ModelFailure } from '../model-failure.ts';
import { agentFor } from './agent-for.ts';
import type { Endpoint } from './endpoint.ts';
import { type JsonObject, parseEventData, type StreamAssembler, type WireRequest } from './protocol.ts';
import { reportedFailure, statusFailure } from './status-failure.ts';

/** A request with the files whose marks stand in its body. */
type PostedRequest = WireRequest & { readonly files?: FilesToSend };

/** The limits of one request, and the assembler of its stream. */
export interface PostSettings {
  readonly signal: AbortSignal;
  readonly timeLimitMs: number;
  readonly assembleStream?: () => StreamAssembler;
}

/** A JSON reply, without secrets. */
export interface Posted {
  readonly reply: JsonObject;
  /** Milliseconds from sending to the first thing that the model wrote; only when the reply was streamed. */
  readonly firstTokenMs?: number;
}

/** Sends one request. Never throws: errors are part of the result. The socket is closed on abort. */
export async function post(
  endpoint: Endpoint,
  request: PostedRequest,
  settings: PostSettings,
): Promise<Tried<Posted>> {
  const { signal, timeLimitMs } = settings;
  const controller = new AbortController();
  const onAbort = () => controller.abort(cancelledFailure(signal));
  const timer = setTimeout(() => controller.abort(timeoutFailure(timeLimitMs)), timeLimitMs);
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await sendWithKey(endpoint, request, { ...settings, signal: controller.signal });
  } catch (error) {
    const { reason } = controller.signal;
    if (reason instanceof ModelFailure) return { failure: reason };
    return { failure: toFailure(error, new URL(endpoint.origin)) };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}

/** Sends a request with the key that a command printed, if that is how it comes; once more with a new one where it is refused. */
async function sendWithKey(
  endpoint: Endpoint,
  request: PostedRequest,
  settings: PostSettings,
): Promise<Tried<Posted>> {
  const { printedKey, headers } = endpoint;
  if (printedKey === undefined) return await send(endpoint, request, { ...settings, headers });
  const sendOnce = async () => {
    const key = await printedKey.read(settings.signal);
    const all = { ...printedKey.headersOf(key), ...headers };
    return { key, tried: await send(endpoint, request, { ...settings, headers: all }) };
  };
  const { key, tried } = await sendOnce();
  if (tried.status !== 401) return tried;
  printedKey.refuse(key);
  return (await sendOnce()).tried;
}

async function send(
  endpoint: Endpoint,
  { path, body, files = noFiles }: PostedRequest,
  settings: PostSettings & { readonly headers: Readonly<Record<string, string>> },
): Promise<Tried<Posted>> {
  const { signal, assembleStream, headers: sentHeaders } = settings;
  const { redactor } = endpoint;
  const sent = performance.now();
  const agent = await agentFor(endpoint.account);
  const url = new URL(endpoint.pathOf(path), endpoint.origin);
  const text = writeBody(JSON.stringify(body), files);
  const request = { url, method: 'POST', headers: sentHeaders, body: text, signal };
  const response = await sendRequest(agent, request, maxReplyBytes);
  const { status, headers } = response;
  try {
    if (status < 200 || status >= 300) return await readError(response, endpoint);
    const isStream = headers['content-type']?.toString().startsWith('text/event-stream') === true;
    const posted =
      isStream && assembleStream !== undefined
        ? await readStream(response.body, assembleStream(), { sent, redactor })
        : { reply: parseReply(await readText(response.body), headers, redactor) };
    // A secret that came in several pieces is complete by now.
    return { value: { ...posted, reply: redactor.json(posted.reply) }, status, headers };
  } catch (error) {
    response.body.destroy();
    const isOwn = error instanceof ModelFailure || error instanceof InflateFault;
    if (!isOwn) throw error;
    return { failure: toFailure(error, url), status, headers };
  } finally {
    letEnd(response.body);
  }
}

async function readError({ status, headers, body }: IncomingReply, { redactor }: Endpoint) {
  // The status matters most: an unreadable body must not hide it.
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

function timeoutFailure(timeLimitMs: number): ModelFailure {
  return new ModelFailure('timeout', `no reply within ${timeLimitMs} ms`, { retryable: true });
}

/** The time that a server may take to end a reply of which no more is needed, in milliseconds. */
const graceMs = 500;

/** Lets a reply that has been read end by itself, so that its connection can be reused; closes one that continues. */
function letEnd(body: Readable): void {
  if (body.destroyed || body.readableEnded) return;
  const timer = setTimeout(() => body.destroy(), graceMs);
  body.once('close', () => clearTimeout(timer));
  body.resume();
}

/** Returns the failure for whatever was thrown while a request was sent or its reply was read. */
export function toFailure(error: unknown, to: URL): ModelFailure {
  if (error instanceof ModelFailure) return error;
  if (error instanceof TouchstoneError) return new ModelFailure(error.code, error.message);
  if (error instanceof InflateFault)
    return error.isTooLarge ? tooLong() : invalidReply(`The reply cannot be unpacked: ${error.message}.`);
  const { kind, code, message, isPermanent } = explainConnectionFault(error, to);
  if (kind === 'proxy-refused') return new ModelFailure('proxy-refused', message);
  if (kind === 'untrusted') return new ModelFailure('certificate-refused', message);
  if (kind === 'unsendable') return new ModelFailure('bad-request', message);
  if (kind === 'garbled') return invalidReply(message);
  const retryable = !isPermanent && code !== 'ENOTFOUND';
  return new ModelFailure('connection-failed', message, { retryable });
}

/** An assembled streamed reply, with the milliseconds to its first token. */
interface StreamedReply {
  readonly reply: JsonObject;
  readonly firstTokenMs?: number;
}

/**
 * Reads a stream up to the event that ends it, or to its end; the rest of the body is left to the caller. Throws
 * `ModelFailure` without secrets.
 * @param sent - The time on the monotonic clock at which the request was sent, in milliseconds.
 */
async function readStream(
  body: Readable,
  assembler: StreamAssembler,
  { sent, redactor }: { readonly sent: number; readonly redactor: SecretRedactor },
): Promise<StreamedReply> {
  let firstTokenMs: number | undefined;
  for await (const { event, data } of readEvents(body)) {
    if (data === '[DONE]') break;
    if (data === '') continue;
    // Redacted before anything is quoted: a shortened message could otherwise show half of a secret.
    const shown = redactor.text(data);
    if (event === 'error') throw reportedFailure(readErrorEvent(shown));
    const hasToken = assembler.add(parseEventData(shown), event);
    if (hasToken) firstTokenMs ??= Math.round((performance.now() - sent) * 1000) / 1000;
    if (assembler.isOver?.()) break;
  }
  const reply = assembler.finish();
  if (reply === undefined) {
    throw new ModelFailure('connection-failed', 'The stream ended before the reply was complete.', {
      retryable: true,
    });
  }
  return { reply: asObject(reply, redactor), firstTokenMs };
}

async function* readEvents(body: Readable): AsyncGenerator<ServerEvent> {
  try {
    yield* readEventStream(limited(body.iterator({ destroyOnReturn: false })));
  } catch (error) {
    const isGarbled = connectionErrorCode(error) === 'ERR_ENCODING_INVALID_ENCODED_DATA';
    throw isGarbled ? invalidUtf8() : error;
  }
}

/** Reads the content of an `error` event: JSON with or without an error inside, or plain text. */
function readErrorEvent(data: string): Json {
  try {
    const value: Json = parseJson(data);
    return (valueAtPath(value, 'error') as Json | undefined) ?? value;
  } catch {
    return data;
  }
}

/** The largest size of one reply. */
const maxReplyBytes = 32 * 1024 * 1024;

/** Reads a whole body as text. Throws `ModelFailure` with the code `invalid-reply`. */
async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const chunks: Uint8Array[] = [];
  for await (const chunk of limited(body)) chunks.push(chunk);
  try {
    return decoder.decode(Buffer.concat(chunks));
  } catch {
    throw invalidUtf8();
  }
}

/** Returns the failure for bytes that are not text. */
function invalidUtf8(): ModelFailure {
  return invalidReply('The reply is not valid UTF-8 text.');
}

/** Yields the chunks of a body up to the size limit. Throws `ModelFailure` with the code `invalid-reply` beyond it. */
async function* limited(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > maxReplyBytes) throw tooLong();
    yield chunk;
  }
}

function tooLong(): ModelFailure {
  return new ModelFailure('invalid-reply', `The reply is longer than ${maxReplyBytes / 2 ** 20} MiB.`);
}

/**
 * Reads a reply as JSON. Servers mislabel it, so the text decides and not the content type. Throws `ModelFailure`
 * without secrets: `invalid-reply`, or the error that the reply reports.
 */
function parseReply(text: string, headers: Headers, redactor: SecretRedactor): JsonObject {
  const type = headers['content-type']?.toString() ?? '';
  try {
    return asObject(parseJson(text) as Json, redactor);
  } catch (error) {
    if (error instanceof ModelFailure) throw error;
    const kind = type === '' ? 'without a content type' : `of the type ${type}`;
    throw invalidReply(`The reply, ${kind}, is not JSON: ${shorten(redactor.text(text).trim(), 300)}`);
  }
}

/** Returns a reply that is an object and reports no error. Throws `ModelFailure` without secrets otherwise. */
function asObject(value: Json, redactor: SecretRedactor): JsonObject {
  if (!isContainer(value) || Array.isArray(value)) {
    const shown = JSON.stringify(redactor.json(value));
    throw invalidReply(`The reply is JSON, but not an object: ${shorten(shown, 300)}`);
  }
  const error = value['object'] === 'error' ? value : (value['error'] ?? null);
  if (error !== null) throw reportedFailure(redactor.json(error));
  return value;
}

/** Returns the failure for an invalid reply; another attempt may bring a valid one. */
function invalidReply(message: string): ModelFailure {
  return new ModelFailure('invalid-reply', message, { retryable: true });
}
