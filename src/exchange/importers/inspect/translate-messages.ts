import type { Message, ToolCall } from '../../../core/schema/message.ts';
import { asArray, asObject, asText, type Fields, jsonObject, textOf } from '../values.ts';

/**
 * Translates messages of Inspect. The result of a tool is stored with its call; text and reasoning of a message are apart, and
 * other parts, such as images, are named in its text.
 */
export function translateMessages(raw: readonly unknown[], attachments: Fields = {}): Message[] {
  const messages = raw.map((each) => asObject(each) ?? {});
  const results = new Map(
    messages.filter(({ role }) => role === 'tool').map((message) => [message.tool_call_id, message]),
  );
  const called = new Set(
    messages.flatMap(({ tool_calls: calls }) => asArray(calls).map((call) => asObject(call)?.id)),
  );
  return messages.flatMap((message): Message[] => {
    const { role, tool_call_id: callId } = message;
    if (role === 'tool' && called.has(callId)) return [];
    const { text, reasoning } = readContent(message.content, attachments);
    const toolCalls = asArray(message.tool_calls).map((call) =>
      translateCall(asObject(call) ?? {}, results, attachments),
    );
    return [
      {
        role: role === 'system' || role === 'assistant' || role === 'tool' ? role : 'user',
        content: text === '' && toolCalls.length > 0 ? null : text,
        ...(reasoning !== '' && { reasoning }),
        ...(toolCalls.length > 0 && { toolCalls }),
        ...(asText(callId) !== undefined && { toolCallId: asText(callId) }),
      },
    ];
  });
}

/** Replaces a text that Inspect stored once for the whole sample. */
export function resolveAttachment(text: string, attachments: Fields): string {
  const hash = /^attachment:\/\/(\w+)$/.exec(text)?.[1];
  return hash === undefined ? text : (asText(attachments[hash]) ?? text);
}

function readContent(content: unknown, attachments: Fields): { text: string; reasoning: string } {
  if (typeof content === 'string') return { text: resolveAttachment(content, attachments), reasoning: '' };
  const parts = asArray(content).map((part) => asObject(part) ?? {});
  const reasoning = parts.flatMap(({ type, reasoning }) =>
    type === 'reasoning' ? (asText(reasoning) ?? []) : [],
  );
  const texts = parts.flatMap(({ type, text }) => {
    if (type === 'reasoning') return [];
    return type === 'text' ? resolveAttachment(String(text ?? ''), attachments) : `[${String(type)}]`;
  });
  return { text: texts.join('\n'), reasoning: reasoning.join('\n') };
}

function translateCall(call: Fields, results: ReadonlyMap<unknown, Fields>, attachments: Fields): ToolCall {
  const result = results.get(call.id);
  const error = asObject(result?.error);
  const problem = asText(call.parse_error) ?? (error === undefined ? undefined : errorText(error));
  const answered = result === undefined ? undefined : readContent(result.content, attachments).text;
  return jsonObject({
    id: asText(call.id),
    name: String(call.function ?? 'unknown'),
    arguments: call.arguments ?? {},
    ...(problem === undefined ? { result: answered } : { error: problem }),
  }) as unknown as ToolCall;
}

function errorText({ type, message }: Fields): string {
  return [asText(type), message === undefined ? undefined : textOf(message)]
    .filter((each) => each !== undefined)
    .join(': ');
}
