import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { inflate } from './inflate.ts';

/** A body that is made while it is sent, as often as it is sent. */
export interface StreamedBody {
  /** Returns its length, which is announced. */
  readonly length: () => Promise<number>;
  readonly pieces: () => AsyncIterable<string | Uint8Array>;
}

/** A request that is ready to be sent. Names of headers are in small letters. */
export interface OutgoingRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | StreamedBody | null;
  readonly signal: AbortSignal;
}

/** A reply whose body is yet to be read. */
export interface IncomingReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body without compression. */
  readonly body: Readable;
}

/**
 * Sends a request and waits for the head of the reply. No compression is asked for, since a compressed stream comes late, but
 * each is read. Redirects are not followed: secrets could reach another server.
 * @param mostBytes - The largest size of a stage of unpacking.
 */
export async function sendRequest(
  agent: Dispatcher,
  { url, method, headers, body, signal }: OutgoingRequest,
  mostBytes: number,
): Promise<IncomingReply> {
  const isStreamed = typeof body === 'object' && body !== null && 'pieces' in body;
  const reply = await agent.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method,
    headers: {
      'accept-encoding': 'identity',
      ...headers,
      ...(isStreamed && { 'content-length': String(await body.length()) }),
    },
    body: isStreamed ? Readable.from(inLargerPieces(body.pieces()), { objectMode: false }) : body,
    signal,
  });
  reply.body.on('error', () => {}); // Giving up on a body half-way is no news.
  const packing = [reply.headers['content-encoding'] ?? []].flat().join(',');
  const unpacked = inflate(reply.body, packing, mostBytes);
  unpacked.on('error', () => {});
  return { status: reply.statusCode, headers: reply.headers, body: unpacked };
}

/** Joins short texts, since each piece is sent by itself. */
async function* inLargerPieces(pieces: AsyncIterable<string | Uint8Array>): AsyncGenerator<Uint8Array> {
  const fewest = 64 * 1024;
  let held = '';
  for await (const piece of pieces) {
    if (typeof piece === 'string') held += piece;
    if (held !== '' && (typeof piece !== 'string' || held.length >= fewest)) {
      yield Buffer.from(held);
      held = '';
    }
    if (typeof piece !== 'string') yield piece;
  }
  if (held !== '') yield Buffer.from(held);
}
