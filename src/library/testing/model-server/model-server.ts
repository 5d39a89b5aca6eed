import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf } from '../../../core/errors.ts';
import { isContainer } from '../../../core/lib/json/is-container.ts';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import type { Json } from '../../../core/schema/json.ts';
import { respond, writeWhole } from './respond.ts';
import type { AnswerOne } from './batch-call.ts';
import { respondToBatches } from './respond-batches.ts';
import { findReply, type ModelScript, type ReceivedRequest, type ServerProtocol } from './script.ts';
import { createBatchBoard, type ServedBatches, viewOfBoard } from './served-batches.ts';

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
  /** The batches that were submitted. Their requests are not among the requests. */
  readonly batches: ServedBatches;
  /** Forgets the requests so far and replaces the script. */
  play(script: ModelScript): void;
  /** Stops the server and closes all its connections. */
  close(): Promise<void>;
}

/**
 * Starts an HTTP server on the loopback address that plays a model from a script. It speaks OpenAI-compatible chat
 * completions, Responses and embeddings, Anthropic Messages and Gemini generateContent, whole or streamed, and the batches of
 * chat completions and Messages, and can play every fault.
 */
export async function startModelServer(script: ModelScript = 'ok'): Promise<ModelServer> {
  const requests: ReceivedRequest[] = [];
  let current = script;
  let [connections, total, open, peak] = [0, 0, 0, 0];
  const board = createBatchBoard();
  const answer: AnswerOne = async (path, body, index) => {
    const request = toReceived({ path, headers: {}, body, index });
    return request === undefined ? null : writeWhole(request, await findReply(current, request));
  };

  const handle = async (incoming: IncomingMessage, response: ServerResponse) => {
    open += 1;
    peak = Math.max(peak, open);
    response.once('close', () => {
      open -= 1;
    });
    const bytes = Buffer.concat(await Array.fromAsync(incoming as AsyncIterable<Buffer>));
    if (await respondToBatches(incoming, bytes, { board, answer, response })) return;
    const { url: path = '/', headers } = incoming;
    const body = parse(bytes.toString('utf8'));
    const request = toReceived({ path, headers, body, index: requests.length });
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
    batches: viewOfBoard(board),
    play: (next) => {
      requests.length = 0;
      current = next;
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

type Body = { [key: string]: Json };

/** Returns a request of any of the APIs; undefined for a path that none of them has. */
function toReceived({
  path,
  headers,
  body,
  index,
}: Pick<ReceivedRequest, 'path' | 'headers' | 'body' | 'index'>): ReceivedRequest | undefined {
  const protocol = protocolOf(path);
  if (protocol === undefined) return undefined;
  const texts = textsOf(protocol, body);
  return {
    index,
    protocol,
    path,
    headers,
    body,
    model: typeof body['model'] === 'string' ? body['model'] : modelIn(path),
    system: texts.system,
    prompt: texts.prompt,
    isStreamed: body['stream'] === true || path.includes(':streamGenerateContent'),
  };
}

function protocolOf(path: string): ServerProtocol | undefined {
  const { pathname } = new URL(path, 'http://localhost');
  if (pathname.endsWith('/chat/completions')) return 'openai-chat';
  if (pathname.endsWith('/responses')) return 'openai-responses';
  if (pathname.endsWith('/messages')) return 'anthropic';
  if (pathname.endsWith('/embeddings')) return 'openai-embeddings';
  return /:(stream)?generateContent$/i.test(pathname) ? 'gemini' : undefined;
}

function modelIn(path: string): string {
  return decodeURIComponent(/models\/([^:?]+):/.exec(path)?.[1] ?? '');
}

function parse(text: string): Body {
  try {
    const value: Json = parseJson(text);
    return isContainer(value) && !Array.isArray(value) ? value : {};
  } catch {
    return {}; // An unreadable request is answered like any other: the script may not care.
  }
}

function textsOf(
  protocol: ServerProtocol,
  body: ReceivedRequest['body'],
): { system: string; prompt: string } {
  if (protocol === 'openai-embeddings') return { system: '', prompt: textIn(body['input']) };
  if (protocol === 'openai-responses') return textsOfResponses(body);
  const messages = asList(body[protocol === 'gemini' ? 'contents' : 'messages']);
  const prompt = textIn(messages.at(-1));
  if (protocol === 'anthropic') return { system: textIn(body['system']), prompt };
  if (protocol === 'gemini') return { system: textIn(body['systemInstruction']), prompt };
  const system = messages.filter((message) => asRecord(message)['role'] === 'system').map(textIn);
  return { system: system.join('\n\n'), prompt };
}

/** Returns the texts of a request for a response, whose input is a text or a list. */
function textsOfResponses(body: ReceivedRequest['body']): { system: string; prompt: string } {
  const { input, instructions } = body;
  if (!Array.isArray(input)) return { system: textIn(instructions), prompt: textIn(input) };
  const isSystem = (item: Json) => /^(system|developer)$/.test(String(asRecord(item)['role'] ?? ''));
  const system = [textIn(instructions), ...input.filter(isSystem).map(textIn)].filter((text) => text !== '');
  return { system: system.join('\n\n'), prompt: textIn(input.at(-1)) };
}

const textMembers = ['text', 'content', 'parts', 'functionResponse', 'response', 'result', 'error', 'output'];

/** Returns all text in a message, however deeply its parts are nested. */
function textIn(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textIn).join('');
  const record = asRecord(value);
  return textMembers.map((name) => (name in record ? textIn(record[name]) : '')).join('');
}

function asRecord(value: Json | undefined): Body {
  return isContainer(value) && !Array.isArray(value) ? value : {};
}

function asList(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
