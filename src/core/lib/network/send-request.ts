import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { inflate } from './inflate.ts';

/** A request that is ready to be sent. Names of headers are in small letters. */
export interface OutgoingRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream is sent as it comes, with the length that the headers name. */
  readonly body: string | Uint8Array | Readable | null;
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
  const reply = await agent.request({
    origin: url.origin,
    path: `${url.pathname}${url.search}`,
    method,
    headers: { 'accept-encoding': 'identity', ...headers },
    body,
    signal,
  });
  reply.body.on('error', () => {}); // Giving up on a body half-way is no news.
  const packing = [reply.headers['content-encoding'] ?? []].flat().join(',');
  const unpacked = inflate(reply.body, packing, mostBytes);
  unpacked.on('error', () => {});
  return { status: reply.statusCode, headers: reply.headers, body: unpacked };
}
