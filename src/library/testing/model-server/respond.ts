import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import type { Json } from '../../../core/schema/json.ts';
import type {
  ReceivedRequest,
  ScriptedAnswer,
  ScriptedFault,
  ScriptedReply,
  ServerProtocol,
} from './script.ts';
import { fillAnswer, type FilledAnswer, type WireEvent, type WireReply } from './wire.ts';
import { writeResponses } from './write-responses.ts';
import { writeAnthropic, writeEmbeddings, writeGemini, writeOpenai } from './write-replies.ts';

const writers: Readonly<Partial<Record<ServerProtocol, (answer: FilledAnswer) => WireReply>>> = {
  'openai-chat': writeOpenai,
  'openai-responses': writeResponses,
  anthropic: writeAnthropic,
  gemini: writeGemini,
};

/** Sends the scripted reply to a request. */
export async function respond(
  request: ReceivedRequest,
  scripted: ScriptedReply,
  response: ServerResponse,
): Promise<void> {
  const reply = typeof scripted === 'string' ? { text: scripted } : scripted;
  if (reply.delayMs !== undefined) await wait(reply.delayMs);
  if ('fault' in reply) await sendFault(request, reply, response);
  else if (request.protocol === 'openai-embeddings') {
    sendJson(response, writeEmbeddings(request, 'vectors' in reply ? reply.vectors : undefined), {});
  } else await sendAnswer(request, reply, response);
}

async function sendAnswer(
  request: ReceivedRequest,
  answer: ScriptedAnswer,
  response: ServerResponse,
): Promise<void> {
  const written = writers[request.protocol]?.(fillAnswer(answer, request));
  if (written === undefined) return;
  if (!request.isStreamed) sendJson(response, written.whole, answer.headers);
  else await sendEvents(response, written.events, answer);
}

/** Returns the scripted reply to a request as a whole; null for a fault. */
export function writeWhole(request: ReceivedRequest, scripted: ScriptedReply): Json {
  const reply = typeof scripted === 'string' ? { text: scripted } : scripted;
  if ('fault' in reply || 'vectors' in reply) return null;
  return writers[request.protocol]?.(fillAnswer(reply, request)).whole ?? null;
}

function sendJson(
  response: ServerResponse,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

async function sendEvents(
  response: ServerResponse,
  events: readonly WireEvent[],
  { pieceDelayMs = 0, headers = {} }: ScriptedAnswer,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream', ...headers });
  for (const event of events) {
    if (response.destroyed) return;
    response.write(toText(event));
    if (pieceDelayMs > 0) await wait(pieceDelayMs);
  }
  response.end();
}

function toText({ event, data }: WireEvent): string {
  const name = event === undefined ? '' : `event: ${event}\n`;
  return `${name}data: ${data === '[DONE]' ? data : JSON.stringify(data)}\n\n`;
}

async function sendFault(
  request: ReceivedRequest,
  fault: ScriptedFault,
  response: ServerResponse,
): Promise<void> {
  switch (fault.fault) {
    case 'hang':
      return;
    case 'drop':
      response.socket?.resetAndDestroy();
      return;
    case 'cut':
      await sendHalf(request, response);
      return;
    case 'raw':
      response.writeHead(fault.status ?? 200, { 'content-type': 'application/json', ...fault.headers });
      response.end(fault.body ?? '');
      return;
    case 'error': {
      const status = fault.status ?? 500;
      response.writeHead(status, { 'content-type': 'application/json', ...fault.headers });
      response.end(fault.body ?? errorBody(request.protocol, status));
    }
  }
}

/** Sends half of a reply, then closes the connection: a stream without its end, or fewer bytes than announced. */
async function sendHalf(request: ReceivedRequest, response: ServerResponse): Promise<void> {
  const { whole, events } = writers[request.protocol]?.(
    fillAnswer({ text: 'half of an answer' }, request),
  ) ?? {
    whole: writeEmbeddings(request),
    events: [],
  };
  const text = request.isStreamed
    ? events.slice(0, 3).map(toText).join('')
    : JSON.stringify(whole).slice(0, 20);
  const type = request.isStreamed ? 'text/event-stream' : 'application/json';
  response.writeHead(200, { 'content-type': type, ...(!request.isStreamed && { 'content-length': '1000' }) });
  await new Promise<void>((resolve) => response.write(text, () => resolve()));
  response.destroy();
}

function errorBody(protocol: ServerProtocol, status: number): string {
  const message = `scripted status ${status}`;
  if (protocol === 'anthropic')
    return JSON.stringify({ type: 'error', error: { type: 'api_error', message } });
  if (protocol === 'gemini') return JSON.stringify({ error: { code: status, message, status: 'SCRIPTED' } });
  return JSON.stringify({ error: { message, type: 'scripted', code: null } });
}
