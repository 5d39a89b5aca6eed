import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf } from '../../errors.ts';
import { readRequest } from './read-request.ts';
import { respond } from './respond.ts';
import { findReply, type ModelScript, type ReceivedRequest } from './script.ts';

/** A running model server. */
export interface ModelServer extends AsyncDisposable {
  /** The base URL for every API that the server speaks: `http://127.0.0.1:PORT/v1`. */
  readonly url: string;
  /** All requests so far, in the order in which they came. */
  readonly requests: readonly ReceivedRequest[];
  /** The number of requests that are open now: neither answered in full nor aborted. */
  readonly openRequests: number;
  /** The number of connections that are open now. */
  readonly connections: number;
  /** The number of connections made so far. */
  readonly totalConnections: number;
  /** The largest number of requests that were open at the same time. */
  readonly peakConcurrency: number;
  /** Forgets the requests so far and replaces the script. */
  play(script: ModelScript): void;
  /** Stops the server and closes all its connections. */
  close(): Promise<void>;
}

/**
 * Starts an HTTP server on the loopback address that plays a model from a script. It speaks OpenAI-compatible chat
 * completions and embeddings, Anthropic Messages and Gemini generateContent, whole or streamed, and can play every
 * fault.
 */
export async function startModelServer(script: ModelScript = 'ok'): Promise<ModelServer> {
  const requests: ReceivedRequest[] = [];
  let current = script;
  let [connections, total, open, peak] = [0, 0, 0, 0];

  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    open += 1;
    peak = Math.max(peak, open);
    response.once('close', () => {
      open -= 1;
    });
    const request = await readRequest(incoming, requests.length);
    if (request === undefined) {
      response
        .writeHead(404, { 'content-type': 'application/json' })
        .end('{"error":{"message":"no such path"}}');
      return;
    }
    requests.push(request);
    await respond(request, await findReply(current, request), response);
  };

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch((error: unknown) => {
      // A script that throws is reported in the reply, where the test sees it.
      if (!response.headersSent)
        response.writeHead(500).end(JSON.stringify({ error: { message: messageOf(error) } }));
      else response.destroy();
    });
  });
  server.on('connection', (socket) => {
    connections += 1;
    total += 1;
    socket.once('close', () => {
      connections -= 1;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const close = async () => {
    if (!server.listening) return;
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests,
    get openRequests() {
      return open;
    },
    get connections() {
      return connections;
    },
    get totalConnections() {
      return total;
    },
    get peakConcurrency() {
      return peak;
    },
    play: (next) => {
      requests.length = 0;
      current = next;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}
