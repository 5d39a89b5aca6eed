import { createServer, type Server } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import type { Hono } from 'hono';
import { messageOf, TouchstoneError } from '../core/errors.ts';
import { type AppParts, createApp } from './create-app.ts';
import { addressOf, createAccess } from './local-access.ts';

/** The port that is used unless another is named or it is taken. */
const usualPort = 7357;

/** The options of a server: its parts, and the port; undefined for the usual one, or any that is free. */
export interface ServeOptions extends Omit<AppParts, 'access'> {
  readonly port?: number;
  /** Returns the secret of the cookie for the port; by default it is another one at every start. */
  readonly secretFor?: (port: number) => string;
}

/** A running server. */
export interface RunningServer {
  readonly port: number;
  /** Returns a new address that opens a page in one browser. */
  addressOf(path?: string): string;
  close(): Promise<void>;
}

/** Serves the dashboard to this machine alone. Throws `port-unavailable` when the named port cannot be used. */
export async function serveDashboard({
  port: wanted,
  secretFor,
  ...parts
}: ServeOptions): Promise<RunningServer> {
  const server = createServer();
  const port = await listenOn(server, { port: wanted });
  const access = createAccess(port, secretFor?.(port));
  const close = answerWith(server, createApp({ ...parts, access }));
  return { port, addressOf: (path) => addressOf(access, path), close };
}

/** Has a server answered by an app. Returns the function that ends it. */
export function answerWith(server: Server, app: Hono): () => Promise<void> {
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false });
  server.on('request', (request, response) => void answer(request, response));
  return async () => {
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await closed;
  };
}

/** The place where a server listens: the port, undefined for the usual one or any that is free; and the address. */
interface Place {
  readonly port: number | undefined;
  readonly host?: string;
}

/** Has a server listen, on the loopback address unless another is named. Returns the port. Throws `port-unavailable`. */
export async function listenOn(server: Server, { port: wanted, host = '127.0.0.1' }: Place): Promise<number> {
  try {
    return await listen(server, { port: wanted ?? usualPort, host });
  } catch (error) {
    if (wanted === undefined) return await listen(server, { port: 0, host });
    const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE';
    const message = isTaken
      ? `Port ${wanted} is in use by another program.`
      : `Port ${wanted} cannot be used: ${messageOf(error)}.`;
    throw new TouchstoneError('port-unavailable', message, { cause: error });
  }
}

/** Listens on an address, and returns the port. */
async function listen(
  server: Server,
  { port, host }: { readonly port: number; readonly host: string },
): Promise<number> {
  return await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(address === null || typeof address === 'string' ? port : address.port);
    });
  });
}
