import type { Readable } from 'node:stream';
import type { Agent } from 'undici';
import { explainConnectionFault } from '../../../core/lib/network/connection-error.ts';

/** A header with its name as it was written; one name may have several. */
export type Header = readonly [name: string, value: string];

/** A request as it is carried to a server. */
export interface CarriedRequest {
  readonly method: string;
  /** The path on the server, with its query. */
  readonly path: string;
  readonly headers: readonly Header[];
  readonly body: Buffer | Readable | null;
  readonly signal: AbortSignal;
}

/** The reply of a server as it comes. */
export interface CarriedReply {
  readonly status: number;
  /** Without those that belong to the connection. */
  readonly headers: readonly Header[];
  readonly body: Readable;
}

/** The failure of a connection to the real server: neither the bot's fault nor an answer of a tool. */
export class UpstreamLost extends Error {
  override readonly name = 'UpstreamLost';
}

/** Headers that belong to one connection (RFC 9110, section 7.6.1), and those that every connection has of its own. */
const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Returns the headers that pass a proxy, from a flat list of names and values. */
export function passingHeaders(raw: readonly string[]): Header[] {
  const all = Array.from(
    { length: raw.length / 2 },
    (_, index): Header => [raw[2 * index] ?? '', raw[2 * index + 1] ?? ''],
  );
  const named = all
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((name) => name.trim());
  return withoutHeaders(all, [...ofConnection, ...named]);
}

/** Returns headers except the ones with some names, given in small letters. */
export function withoutHeaders(headers: readonly Header[], names: readonly string[]): Header[] {
  return headers.filter(([name]) => !names.includes(name.toLowerCase()));
}

/** Returns the value of the first header of a name, given in small letters; empty when there is none. */
export function headerOf(headers: readonly Header[], name: string): string {
  return headers.find(([each]) => each.toLowerCase() === name)?.[1] ?? '';
}

/** Returns headers with some of the config in place of the bot's own. */
export function withOwnHeaders(headers: readonly Header[], own: ReadonlyMap<string, string>): Header[] {
  return [
    ...withoutHeaders(
      headers,
      [...own.keys()].map((name) => name.toLowerCase()),
    ),
    ...own,
  ];
}

/**
 * Carries a request to a server, whose origin is fixed: nothing that a bot sends chooses another. Redirects are not
 * followed. Throws `UpstreamLost`, or the reason of the signal.
 */
export async function carry(agent: Agent, origin: URL, request: CarriedRequest): Promise<CarriedReply> {
  const { method, path, headers, body, signal } = request;
  try {
    const reply = await agent.request({
      origin: origin.origin,
      method,
      path,
      headers: headers.flat(),
      body,
      signal,
      responseHeaders: 'raw',
    });
    reply.body.on('error', () => {}); // Giving up on a body half-way is no news.
    // With `raw`, undici gives a flat list, which its types do not say.
    const raw = reply.headers as unknown as string[];
    return { status: reply.statusCode, headers: passingHeaders(raw), body: reply.body };
  } catch (error) {
    signal.throwIfAborted();
    throw new UpstreamLost(explainConnectionFault(error, origin).message, { cause: error });
  }
}
