import type { Message, ToolCall } from '../../../core/schema/message.ts';
import { asArray, asObject, asText, type Fields, jsonObject, textOf, filled } from '../values.ts';

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
    const { text: content, reasoning } = readContent(message.content, attachments);
    const error = role === 'tool' ? asObject(message.error) : undefined;
    const text = error === undefined ? content : joined([errorText(error), content]);
    const toolCalls = asArray(message.tool_calls).map((call) =>
      translateCall(asObject(call) ?? {}, results, attachments),
    );
    return [
      {
        role: role === 'system' || role === 'assistant' || role === 'tool' ? role : 'user',
        content: text === '' && toolCalls.length > 0 ? null : text,
        ...(reasoning !== '' && { reasoning }),
        toolCalls: filled(toolCalls),
        toolCallId: asText(callId),
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
  const said = [asText(call.parse_error) ?? '', error === undefined ? '' : errorText(error)];
  const problem = said.every((each) => each === '') ? undefined : joined(said);
  const answered = result === undefined ? undefined : readContent(result.content, attachments).text;
  return jsonObject({
    id: asText(call.id),
    name: String(call.function ?? 'unknown'),
    arguments: call.arguments ?? {},
    ...(problem === undefined ? { result: answered } : { error: joined([problem, answered ?? '']) }),
  }) as unknown as ToolCall;
}

/** Joins the texts that say something, each once. */
function joined(texts: readonly string[]): string {
  return [...new Set(texts)].filter((text) => text !== '').join('\n');
}

function errorText({ type, message }: Fields): string {
  return [asText(type), message === undefined ? undefined : textOf(message)]
    .filter((each) => each !== undefined)
    .join(': ');
}
