import type { Readable, Writable } from 'node:stream';
import type { ServerResponse } from 'node:http';
import { type CarriedReply, UpstreamLost } from './upstream.ts';

/** Reads a body of a server whole. Throws `UpstreamLost` when it breaks off. */
export async function readWhole(body: Readable): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of takePieces(body)) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Yields the pieces of a server's body. Throws `UpstreamLost` when it breaks off. */
export async function* takePieces(body: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const piece of body as AsyncIterable<Buffer>) yield piece;
  } catch (error) {
    throw new UpstreamLost('The server broke the connection off before its answer was complete.', {
      cause: error,
    });
  }
}

/** Writes bytes, and waits until the reader keeps up. Returns at once when the reader has gone. */
export async function writeInTime(writable: Writable, bytes: Uint8Array): Promise<void> {
  if (writable.destroyed || writable.writableEnded || writable.write(bytes)) return;
  const { promise, resolve } = Promise.withResolvers<void>();
  writable.once('drain', resolve).once('close', resolve);
  await promise;
  writable.off('drain', resolve).off('close', resolve);
}

/** Writes a head, so that who has handed the response over can read its headers. */
export function writeHead(
  response: ServerResponse,
  { status, headers }: Pick<CarriedReply, 'status' | 'headers'>,
): void {
  for (const [name, value] of headers) response.appendHeader(name, value);
  response.writeHead(status);
}
