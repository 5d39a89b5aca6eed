import type { Readable } from 'node:stream';

/** How long a server may take to end a reply of which nothing more is wanted, in milliseconds. */
const graceMs = 500;

/** Lets a reply that has been read come to its end, so that its connection can be used again; closes one that goes on. */
export function letEnd(body: Readable): void {
  if (body.destroyed || body.readableEnded) return;
  const timer = setTimeout(() => body.destroy(), graceMs);
  body.once('close', () => clearTimeout(timer));
  body.resume();
}
