import type { IncomingMessage } from 'node:http';
import type { Json } from '../../schema/json.ts';
import type { ReceivedRequest, ServerProtocol } from './script.ts';

type Body = { [key: string]: Json };

/** Reads a request of any of the APIs. Returns undefined for a path that none of them has. */
export async function readRequest(
  request: IncomingMessage,
  index: number,
): Promise<ReceivedRequest | undefined> {
  const { url: path = '/', headers } = request;
  const chunks = await Array.fromAsync(request as AsyncIterable<Buffer>);
  const protocol = protocolOf(path);
  if (protocol === undefined) return undefined;
  const body = parse(Buffer.concat(chunks).toString('utf8'));
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
  if (pathname.endsWith('/messages')) return 'anthropic';
  if (pathname.endsWith('/embeddings')) return 'openai-embeddings';
  return /:(stream)?generateContent$/i.test(pathname) ? 'gemini' : undefined;
}

function modelIn(path: string): string {
  return decodeURIComponent(/models\/([^:?]+):/.exec(path)?.[1] ?? '');
}

function parse(text: string): Body {
  try {
    const value: Json = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {}; // An unreadable request is answered like any other: the script may not care.
  }
}

function textsOf(protocol: ServerProtocol, body: Body): { system: string; prompt: string } {
  if (protocol === 'openai-embeddings') return { system: '', prompt: textIn(body['input']) };
  const messages = asList(body[protocol === 'gemini' ? 'contents' : 'messages']);
  const prompt = textIn(messages.at(-1));
  if (protocol === 'anthropic') return { system: textIn(body['system']), prompt };
  if (protocol === 'gemini') return { system: textIn(body['systemInstruction']), prompt };
  const system = messages.filter((message) => asRecord(message)['role'] === 'system').map(textIn);
  return { system: system.join('\n\n'), prompt };
}

const textMembers = ['text', 'content', 'parts', 'functionResponse', 'response', 'result', 'error'];

/** Returns all text in a message, however deeply its parts are nested. */
function textIn(value: Json | undefined): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textIn).join('');
  const record = asRecord(value);
  return textMembers.map((name) => (name in record ? textIn(record[name]) : '')).join('');
}

function asRecord(value: Json | undefined): Body {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
}

function asList(value: Json | undefined): Json[] {
  return Array.isArray(value) ? value : [];
}
