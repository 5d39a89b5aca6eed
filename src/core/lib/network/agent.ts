import type { LookupFunction, Socket } from 'node:net';
import type { Agent, buildConnector, Dispatcher, Pool, RequestInit as UndiciRequestInit } from 'undici';
import { proxyFor } from './proxy.ts';

/**
 * Creates connections without time limits, since every call has its own. They go through a proxy where the environment says so.
 * Everything that Touchstone asks over HTTP goes through connections from here.
 * @param connections - The largest number to one server; null for as many as there are calls in flight.
 * @param lookup - Finds the addresses of a name; as the system does by default.
 * @param authorities - The certificates of authorities to trust; the authorities of Node.js by default.
 */
export async function createAgent(
  connections: number | null = null,
  lookup?: LookupFunction,
  authorities?: readonly string[],
): Promise<Agent> {
  const undici = await import('undici'); // Loading it takes as long as a small run.
  const options = { headersTimeout: 0, bodyTimeout: 0, connections };
  const tls = authorities === undefined ? {} : { ca: [...authorities] };
  const createPool = (origin: string | URL, own: object): Dispatcher => {
    const { connect } = own as Pool.Options;
    const isConnector = typeof connect === 'function';
    return new undici.Pool(origin, {
      ...own,
      ...options,
      connect: isConnector ? skipInformationalReplies(connect) : connect,
    });
  };
  return new undici.Agent({
    ...options,
    connect: undici.buildConnector(lookup === undefined ? tls : { ...tls, lookup }),
    factory: (origin, own) => {
      const proxy = proxyFor(new URL(origin));
      if (proxy === undefined) return createPool(origin, own);
      // Addresses with https are asked in a tunnel, addresses with http in full.
      return new undici.ProxyAgent({
        ...options,
        uri: proxy.url.href,
        proxyTunnel: false,
        requestTls: tls,
        factory: createPool,
      });
    },
  });
}

let shared: Promise<Agent> | undefined;

/** Returns connections for what is asked now and then: all callers share them. */
export async function sharedAgent(): Promise<Agent> {
  shared ??= createAgent();
  return await shared;
}

/** Fetches as the `fetch` of Node.js does, through a proxy where the environment says so: for packages that take such a function. */
export async function fetchThroughProxy(url: string | URL, init?: RequestInit): Promise<Response> {
  const { fetch } = await import('undici');
  // The types of Node.js and of undici describe the same objects.
  const own = { ...init, dispatcher: await sharedAgent() } as unknown as UndiciRequestInit;
  return await fetch(url, own);
}

type Connector = buildConnector.connector;

/** The largest size of an incomplete informational reply. */
const mostBytes = 16 * 1024;

/**
 * Wraps a connector so that informational replies, such as `100 Continue`, are skipped: a client must be able to read
 * any number of them, requested or not (RFC 9110, section 15.2). undici closes the connection at a `100`.
 */
function skipInformationalReplies(connect: Connector): Connector {
  return (options, callback) =>
    connect(options, (...[error, socket]) => {
      if (error !== null) return callback(error, null);
      skipInformationalOn(socket);
      callback(null, socket);
    });
}

/**
 * Skips informational replies on a socket. undici reads a reply with `read`, and sends a request only when the last
 * reply is complete, so the first bytes after a request are a head.
 */
function skipInformationalOn(socket: Socket): void {
  const read = socket.read.bind(socket);
  let bytesAnswered = 0;
  let held: Buffer = Buffer.alloc(0);
  socket.read = (size) => {
    const chunk = read(size) as Buffer | null;
    if (chunk === null || socket.bytesWritten === bytesAnswered) return chunk;
    const bytes = skipInformational(held.length === 0 ? chunk : Buffer.concat([held, chunk]));
    const isHeld = bytes.length < mostBytes && mayBeInformational(bytes);
    held = isHeld ? bytes : Buffer.alloc(0);
    if (isHeld) return null;
    bytesAnswered = socket.bytesWritten;
    return bytes;
  };
}

/** Matches complete informational replies; a protocol switch (101) is not one of them. */
const informational = /^(?:HTTP\/1\.1 1(?!01)\d\d(?=\s)[^]*?\n\r?\n)*/;

/** Returns the bytes after all complete informational replies. */
function skipInformational(bytes: Buffer): Buffer {
  if (!mayBeInformational(bytes)) return bytes;
  const [heads = ''] = informational.exec(bytes.toString('latin1')) ?? [];
  return bytes.subarray(heads.length);
}

/** Returns whether bytes begin like an informational reply, as far as they have arrived; true when none have. */
function mayBeInformational(bytes: Buffer): boolean {
  const line = bytes.toString('latin1', 0, 13);
  return /^HTTP\/1\.1 1(?!01)\d\d\s/.test(line + 'HTTP/1.1 100 '.slice(line.length));
}
