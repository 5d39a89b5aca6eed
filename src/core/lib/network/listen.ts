import { once } from 'node:events';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { messageOf, TouchstoneError } from '../../errors.ts';

/** Where bots reach this process. */
export interface ListeningPlace {
  readonly host: string;
  /** The port; 0 for a free one. */
  readonly port: number;
  /** The loss when the port is taken, such as `The bot cannot post its answers`. */
  readonly lost: string;
  /** The remedy for that. */
  readonly remedy: string;
}

/** An open server of this process. */
export interface Listening {
  readonly server: Server;
  readonly port: number;
  /** Ends it with all its connections. */
  close(): Promise<void>;
}

/** Listens for the requests of bots, which may take as long as they like. Throws `target-unreachable` when the port is taken. */
export async function listenForBots(
  { host, port, lost, remedy }: ListeningPlace,
  onRequest: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Listening> {
  // Not imported above: for an ES module, Node.js loads all that can be had from it, which takes as long as the rest of Touchstone.
  const { createServer } = process.getBuiltinModule('node:http');
  const server = createServer({ requestTimeout: 0, keepAliveTimeout: 30_000 }, onRequest);
  server.timeout = 0;
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    const message = `${lost} on ${host}:${port}: ${messageOf(error)}`;
    throw new TouchstoneError('target-unreachable', message, { remedy, cause: error });
  }
  return {
    server,
    port: (server.address() as { readonly port: number }).port,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The beginning of a body, and the rest where it is longer than was asked for. */
export interface BodyHead {
  readonly bytes: Buffer;
  /** True when the bytes are the whole body; else the stream goes on after them. */
  readonly isWhole: boolean;
}

/** Reads a body up to a size, and leaves the rest in the stream. */
export async function readHead(body: Readable, mostBytes: number): Promise<BodyHead> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    pieces.push(piece);
    size += piece.length;
    if (size > mostBytes) return { bytes: Buffer.concat(pieces), isWhole: false };
  }
  return { bytes: Buffer.concat(pieces), isWhole: true };
}
