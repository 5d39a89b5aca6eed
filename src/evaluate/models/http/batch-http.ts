import { text as readText } from 'node:stream/consumers';
import { isContainer } from '../../../core/lib/json/is-container.ts';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import { readJsonLines } from '../../../core/lib/network/event-stream.ts';
import {
  type IncomingReply,
  sendRequest,
  type StreamedBody,
} from '../../../core/lib/network/send-request.ts';
import { shorten } from '../../../core/lib/text/terminal-text.ts';
import type { Json } from '../../../core/schema/json.ts';
import { agentFor } from './agent-for.ts';
import type { Endpoint } from './endpoint.ts';
import { toFailure } from './post.ts';
import type { JsonObject } from './protocol.ts';
import { statusFailure } from './status-failure.ts';
import { ModelFailure } from '../model-failure.ts';

/** A file of requests, which is sent in pieces. */
export interface BatchFile extends StreamedBody {
  readonly type: string;
}

/** Returns a body that is a list of lines of JSON between two texts. */
export async function listBody(
  lines: () => AsyncIterable<string>,
  [head, end]: readonly [head: string, end: string],
): Promise<BatchFile> {
  let bytes = Buffer.byteLength(head + end) - 1;
  for await (const line of lines()) bytes += Buffer.byteLength(line) + 1;
  const pieces = async function* () {
    yield head;
    let isFirst = true;
    for await (const line of lines()) {
      yield isFirst ? line : `,${line}`;
      isFirst = false;
    }
    yield end;
  };
  return { type: 'application/json', length: async () => bytes, pieces };
}

/** The requests of a batch API. All throw `ModelFailure` without secrets. */
export interface BatchHttp {
  /** Sends a request and returns the reply, an object of JSON; an empty one when the reply has no body. */
  ask(method: string, path: string, sent: BatchRequestSent): Promise<JsonObject>;
  /** Yields the values of a file of JSON lines, without secrets. A file that is cut off is a failure. */
  lines(path: string, signal: AbortSignal): AsyncGenerator<Json>;
}

/** The part of a request that is sent. */
export interface BatchRequestSent {
  readonly signal: AbortSignal;
  readonly body?: JsonObject | BatchFile;
}

/** The largest reply that is no file of results. */
const mostBytes = 32 * 1024 * 1024;
/** A file of results may be as large as the provider makes it; it is read line by line. */
const mostUnpackedBytes = 64 * 1024 ** 3;
const mostMsOfFile = 3_600_000;

/** Creates the requests of a batch API at an endpoint. */
export function createBatchHttp(
  open: () => Endpoint,
  { timeLimitMs }: { readonly timeLimitMs: number },
): BatchHttp {
  const request = async (
    method: string,
    path: string,
    { signal, body, limitMs }: BatchRequestSent & { readonly limitMs: number },
  ): Promise<IncomingReply> => {
    const endpoint = open();
    const url = new URL(endpoint.pathOf(path), endpoint.origin);
    const within = AbortSignal.timeout(limitMs);
    const both = AbortSignal.any([signal, within]);
    const send = async () => {
      const agent = await agentFor(endpoint.account);
      const key = await endpoint.printedKey?.read(both);
      const ofKey = key === undefined ? {} : endpoint.printedKey?.headersOf(key);
      const ofFile = body !== undefined && isFile(body) && { 'content-type': body.type };
      const headers = { ...ofKey, ...endpoint.headers, ...ofFile };
      const all = { url, method, headers, body: bodyOf(body), signal: both };
      return { key, reply: await sendRequest(agent, all, mostUnpackedBytes) };
    };
    try {
      let { key, reply } = await send();
      if (reply.status === 401 && key !== undefined) {
        endpoint.printedKey?.refuse(key);
        reply.body.destroy();
        ({ key, reply } = await send());
      }
      if (reply.status < 200 || reply.status >= 300) throw await failureOf(reply, endpoint);
      return reply;
    } catch (error) {
      throw explain(error, url, { within, limitMs });
    }
  };

  return {
    ask: async (method, path, sent) => {
      const isLong = sent.body !== undefined && isFile(sent.body);
      const reply = await request(method, path, { ...sent, limitMs: isLong ? mostMsOfFile : timeLimitMs });
      const endpoint = open();
      try {
        const text = endpoint.redactor.text(await readText(limited(reply.body)));
        return text.trim() === '' ? {} : objectIn(text);
      } catch (error) {
        throw toFailure(error, new URL(endpoint.origin));
      }
    },
    lines: async function* (path, signal) {
      const { body } = await request('GET', path, { signal, limitMs: mostMsOfFile });
      const { redactor, origin } = open();
      try {
        for await (const { data } of readJsonLines(body)) yield lineIn(redactor.text(data));
      } catch (error) {
        throw toFailure(error, new URL(origin));
      } finally {
        body.destroy();
      }
    },
  };
}

function bodyOf(body: BatchRequestSent['body']): string | BatchFile | null {
  if (body === undefined) return null;
  return isFile(body) ? body : JSON.stringify(body);
}

function isFile(body: JsonObject | BatchFile): body is BatchFile {
  return typeof body['pieces'] === 'function';
}

async function* limited(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > mostBytes) throw new ModelFailure('invalid-reply', 'The reply is longer than 32 MiB.');
    yield chunk;
  }
}

async function failureOf({ status, headers, body }: IncomingReply, { redactor }: Endpoint) {
  const text = await readText(limited(body)).catch(() => '');
  return statusFailure({ status, headers, text, redact: redactor.text });
}

function explain(
  error: unknown,
  url: URL,
  { within, limitMs }: { readonly within: AbortSignal; readonly limitMs: number },
): ModelFailure {
  if (within.aborted)
    return new ModelFailure('timeout', `no reply within ${limitMs} ms`, { retryable: true });
  return toFailure(error, url);
}

function objectIn(text: string): JsonObject {
  const value = lineIn(text);
  if (isContainer(value) && !Array.isArray(value)) return value;
  throw notJson(text);
}

function lineIn(text: string): Json {
  try {
    return parseJson(text);
  } catch {
    throw notJson(text);
  }
}

function notJson(text: string): ModelFailure {
  const message = `The reply is not what this API sends: ${shorten(text, 300)}`;
  return new ModelFailure('invalid-reply', message, { retryable: true });
}
