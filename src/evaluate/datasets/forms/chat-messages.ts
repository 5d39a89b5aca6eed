import { isContainer } from '../../../core/lib/json/is-container.ts';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import type { Fields } from '../fields.ts';

const knownInMessages = new Set([
  'role',
  'content',
  'toolCalls',
  'toolCallId',
  'name',
  'tool_calls',
  'tool_call_id',
]);

/**
 * Converts the messages of chat APIs to our spelling: `tool_calls`, `tool_call_id`, the role `developer`, content in
 * text parts. `others` are the names of fields for which our messages have no place.
 */
export function readMessages(list: readonly unknown[]): { messages: unknown[]; others: string[] } {
  const others = new Set<string>();
  const messages = list.map((item) => {
    if (!isContainer(item) || Array.isArray(item)) return item;
    for (const name of Object.keys(item)) if (!knownInMessages.has(name)) others.add(name);
    return readMessage(item as Fields);
  });
  return { messages, others: [...others] };
}

function readMessage({ tool_calls: calls, tool_call_id: callId, ...message }: Fields): Fields {
  const content = readContent(message['content']);
  const role = message['role'] === 'developer' ? 'system' : message['role'];
  const read: Fields = { ...message, role, content: content === undefined && calls ? null : content };
  if (Array.isArray(calls)) read['toolCalls'] ??= calls.map(readToolCall);
  if (callId !== undefined && callId !== null) read['toolCallId'] ??= callId;
  return read;
}

function readContent(content: unknown): unknown {
  if (
    !Array.isArray(content) ||
    !content.every((part) => part?.type === 'text' && typeof part.text === 'string')
  ) {
    return content;
  }
  return content.map((part) => part.text).join('\n');
}

function readToolCall(call: unknown): unknown {
  const { id, function: used } = (call ?? {}) as {
    id?: unknown;
    function?: { name?: unknown; arguments?: unknown };
  };
  if (!isContainer(used)) return call;
  return { id, name: used.name, arguments: readArguments(used.arguments) };
}

function readArguments(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
