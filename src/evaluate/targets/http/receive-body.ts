import { TextDecoder } from 'node:util';
import { readRetryAfter, timeOfReply } from '../../../core/lib/time.ts';
import { shorten } from '../../../core/lib/text/terminal-text.ts';
import { TargetFailure } from '../target.ts';
import { answerTooLarge, maxReplyBytes } from '../reply/read-text.ts';
import { isFields } from '../reply/part.ts';
import { findFraming, type ReplyHeaders } from './streams/framing.ts';
import { findForm } from './streams/forms.ts';
import { readStream, type StreamedReply } from './streams/read-stream.ts';
import { formOf, type StreamSetting } from './streams/stream-option.ts';
import { hasText } from './streams/text.ts';

/** A body that came whole, with the content type that says how to read it. */
export interface HttpBody {
  readonly contentType: string;
  readonly text: string;
}

/** The settings with which a body is received. */
export interface ReceiveSettings {
  readonly headers: ReplyHeaders;
  readonly stream: StreamSetting;
  /** The path of the id of the conversation in the reply, or in an event of it. */
  readonly conversation?: string;
  /** The time on the monotonic clock at which the request was sent, in milliseconds. */
  readonly sentAt: number;
  readonly signal: AbortSignal;
  readonly redact: (text: string) => string;
}

/**
 * Receives a body: one that is streamed is put together as it comes, any other is read whole. Throws `TargetFailure` with
 * `answer-too-large`, `invalid-utf8` or `invalid-reply` for a whole one.
 */
export async function receiveBody(
  chunks: AsyncIterable<Uint8Array>,
  settings: ReceiveSettings,
): Promise<HttpBody | StreamedReply> {
  const { headers, stream } = settings;
  if (stream === 'none') return await readBody(chunks, headers);
  const form = formOf(stream);
  const knows = (first: object) =>
    isFields(first) &&
    (form !== undefined ||
      hasText(first) ||
      findForm({ name: 'message', data: '', value: first }, headers).isText !== true);
  const framed = await findFraming(limited(chunks), headers, knows);
  if (framed.framing === 'whole') return await readBody(framed.chunks, headers);
  return await readStream(framed, { ...settings, form });
}

/** Reads a body as text in its charset. Throws `answer-too-large`, `invalid-utf8` or `invalid-reply`. */
export async function readBody(chunks: AsyncIterable<Uint8Array>, headers: ReplyHeaders): Promise<HttpBody> {
  const contentType = String(headers['content-type'] ?? '');
  return { contentType, text: decode(await collect(chunks), contentType) };
}

async function collect(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const kept: Uint8Array[] = [];
  for await (const chunk of limited(chunks)) kept.push(chunk);
  return Buffer.concat(kept);
}

/** Yields chunks up to the size limit. Throws `answer-too-large` beyond it. */
async function* limited(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > maxReplyBytes) throw answerTooLarge();
    yield chunk;
  }
}

function decode(bytes: Buffer, contentType: string): string {
  const charset = /charset\s*=\s*"?([^\s;"]+)/i.exec(contentType)?.[1] ?? 'utf-8';
  const decoder = createDecoder(charset);
  try {
    return decoder.decode(bytes);
  } catch {
    throw new TargetFailure(
      'invalid-utf8',
      `The reply is not valid ${charset.toUpperCase()} text (content type ${contentType || 'not given'}).`,
    );
  }
}

function createDecoder(charset: string): TextDecoder {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    throw new TargetFailure('invalid-reply', `The reply is in the unknown charset "${charset}".`);
  }
}

/** The parts of a reply that determine the failure of an error status. */
export interface HttpStatus {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body with all secrets removed, so that cutting it cannot leave half of one. */
  readonly text: string;
}

/**
 * Returns the failure for a status that is not a success. Redirects are not followed, because the secrets could reach
 * another server.
 */
export function statusFailure({ status, headers, text }: HttpStatus): TargetFailure {
  const location =
    headers['location'] === undefined ? '' : ` to ${String(headers['location'])}; correct \`url\``;
  const excerpt = shorten(text.replaceAll(/\s+/g, ' ').trim(), 300);
  const retryAfterMs = readRetryAfter(headers['retry-after']?.toString(), timeOfReply(headers));
  return new TargetFailure(
    codeOf(status),
    `The server answered ${status}${location}${excerpt === '' ? '' : `: ${excerpt}`}`,
    {
      retryable: status >= 500 || [408, 425, 429].includes(status),
      retryAfterMs,
    },
  );
}

/** Returns the failure code of a status. A refusal means "not now"; a bad request is the question's fault, not the server's. */
function codeOf(status: number): string {
  if (status === 429) return 'rate-limited';
  if (status === 401 || status === 403) return 'unauthorized';
  if (status === 503 || status === 529) return 'overloaded';
  return [400, 413, 414, 422, 451].includes(status) ? 'bad-request' : 'http-status';
}
