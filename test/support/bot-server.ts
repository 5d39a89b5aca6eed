import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach } from 'vitest';

/** A request as a server received it, with its body. */
export interface Received extends IncomingMessage {
  text: string;
}

/** Answers a request. */
export type Handle = (request: Received, response: ServerResponse) => void;

const servers = new Set<Server>();
const sockets = new Set<string>();

/** The ends of the connections that are open to servers of a test. */
export const openSockets: ReadonlySet<string> = sockets;

afterEach(() => {
  for (const server of servers) server.close();
  for (const server of servers) server.closeAllConnections();
  servers.clear();
});

/** Starts a server on the loopback address that ends with its test, and returns its URL. */
export async function serveBot(handle: Handle): Promise<string> {
  const server = createServer((request, response) => {
    let text = '';
    request.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
    request.on('end', () => handle(Object.assign(request, { text }), response));
  });
  return await listenForBot(server);
}

/** Has a server of a test listen until the test has ended, and returns its URL. */
export async function listenForBot(server: Server): Promise<string> {
  server.on('connection', (socket) => {
    const name = `${socket.remotePort}`;
    sockets.add(name);
    socket.on('close', () => sockets.delete(name));
  });
  servers.add(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
