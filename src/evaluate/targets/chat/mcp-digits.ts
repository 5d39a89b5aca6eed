import type { ReadBuffer, Transport } from '@modelcontextprotocol/client';
import { canonicalJson } from '../../../core/lib/content-hash.ts';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import { fetchThroughProxy } from '../../../core/lib/network/agent.ts';
import type { Json } from '../../../core/schema/json.ts';
import { createLineSplitter } from '../command/wire.ts';
import { toJson } from '../reply/to-json.ts';

/** Where a message carries its structured content as text: the package that speaks the protocol passes unknown members on. */
const exactKey = 'touchstone/structured-content';

/**
 * Returns structured content with all digits of its numbers. The package that speaks the protocol rounds long ones; they are whole
 * in what {@link addDigits} stored of the message, and often in a text next to it that holds the same document.
 */
export function withDigits(structured: unknown, texts: readonly unknown[]): Json {
  const rounded = canonicalJson(structured);
  for (const text of texts) {
    const whole = typeof text === 'string' ? parseBoth(text) : undefined;
    if (whole !== undefined && canonicalJson(whole.rounded) === rounded) return whole.exact;
  }
  return toJson(structured);
}

/** Returns the structured content of a result as {@link addDigits} stored it; undefined where no number loses digits. */
export function digitsOf(result: { readonly _meta?: Readonly<Record<string, unknown>> }): unknown {
  return result._meta?.[exactKey];
}

/** Makes a transport to a program keep all digits: the bytes that it reads pass through a buffer that adds them. */
export function readWithDigits<Kind extends Transport>(transport: Kind, Buffered: typeof ReadBuffer): Kind {
  const buffer = new Buffered();
  const append = buffer.append.bind(buffer);
  const split = createLineSplitter({
    onLine: (line) => append(Buffer.from(`${addDigits(line.toString())}\n`)),
    onLongLine: () => {
      throw tooLong();
    },
  });
  // The package offers no place to read the bytes; a version of it without this member rounds as it did.
  return Object.assign(transport, { _readBuffer: Object.assign(buffer, { append: split }) });
}

/** Fetches as `fetchThroughProxy` does; messages in the response, alone or in a stream of events, keep all digits. */
export async function fetchWithDigits(url: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetchThroughProxy(url, init);
  const type = response.headers.get('content-type') ?? '';
  if (/^application\/json\b/i.test(type)) return replaceBody(response, addDigits(await response.text()));
  if (!/^text\/event-stream\b/i.test(type) || response.body === null) return response;
  return replaceBody(response, response.body.pipeThrough(digitsInEvents()));
}

function tooLong(): Error {
  return new Error('The server sent a message that is too long.');
}

function replaceBody(response: Response, body: string | ReadableStream<Uint8Array>): Response {
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  for (const name of ['content-length', 'content-encoding']) headers.delete(name);
  return new Response(body, { status, statusText, headers });
}

function digitsInEvents(): TransformStream<Uint8Array, Uint8Array> {
  let split: ((chunk: Buffer) => void) | undefined;
  return new TransformStream({
    start: (controller) => {
      split = createLineSplitter({
        onLine: (line) => controller.enqueue(Buffer.from(`${addDigitsToEvent(line.toString())}\n`)),
        onLongLine: () => controller.error(tooLong()),
      });
    },
    transform: (chunk) => split?.(Buffer.from(chunk)),
    // The last line may lack its ending.
    flush: () => split?.(Buffer.from('\n')),
  });
}

function addDigitsToEvent(line: string): string {
  return line.startsWith('data:') ? `data:${addDigits(line.slice('data:'.length))}` : line;
}

/** Adds the structured content of a message as text to the message, where a double would lose digits of its numbers. */
function addDigits(text: string): string {
  if (!text.includes('"structuredContent"')) return text;
  const message = parseBoth(text);
  if (message === undefined) return text;
  const exact = JSON.stringify(contentOf(message.exact));
  if (exact === undefined || exact === JSON.stringify(contentOf(message.rounded))) return text;
  const { result, ...rest } = message.rounded as { readonly result: CallMessage['result'] };
  return JSON.stringify({ ...rest, result: { ...result, _meta: { ...result?._meta, [exactKey]: exact } } });
}

/** The parts of a message that are read here; it may be anything. */
interface CallMessage {
  readonly result?: { readonly structuredContent?: unknown; readonly _meta?: object };
}

function contentOf(message: unknown): unknown {
  return (message as CallMessage | null | undefined)?.result?.structuredContent;
}

/** Parses JSON with all digits, and as the package does; undefined for another text. */
function parseBoth(text: string): { readonly exact: Json; readonly rounded: Json } | undefined {
  try {
    return { exact: parseJson(text) as Json, rounded: JSON.parse(text) as Json };
  } catch {
    return undefined;
  }
}
