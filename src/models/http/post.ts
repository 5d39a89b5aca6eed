import type { Dispatcher } from 'undici';
import { shorten } from '../../lib/terminal-text.ts';
import { cancelledFailure, type Tried } from '../account/call-with-retries.ts';
import { ModelFailure } from '../model.ts';
import { connectionFailure } from './connection-failure.ts';
import { agentFor } from './agent.ts';
import type { Endpoint } from './endpoint.ts';
import type { JsonObject, StreamAssembler, WireRequest } from './protocol.ts';
import { letEnd } from './let-end.ts';
import { parseReply } from './parse-reply.ts';
import { readStream } from './read-stream.ts';
import { readText, refuseCompression } from './read-text.ts';
import { statusFailure } from './status-failure.ts';

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
    refuseCompression(headers);
    const isStream = headers['content-type']?.toString().startsWith('text/event-stream') === true;
    const posted =
      isStream && assembleStream !== undefined
        ? await readStream(response.body, assembleStream(), { sent, redactor })
        : { reply: parseReply(await readText(response.body), headers, redactor) };
    // A secret that came in several pieces is whole by now.
    return { value: { ...posted, reply: redactor.json(posted.reply) }, status, headers };
  } catch (error) {
    response.body.destroy();
    if (!(error instanceof ModelFailure)) throw error;
    return { failure: error, status, headers };
  } finally {
    letEnd(response.body);
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

function timeoutFailure(timeLimitMs: number): ModelFailure {
  return new ModelFailure('timeout', `no reply within ${timeLimitMs} ms`, { retryable: true });
}
