import type { SpanEvent } from '../../../schema/message.ts';
import { type Fields, isFields, unpack } from './attribute-values.ts';

/** What a model was given and what it said, in whatever dialect, still to be read. */
export interface RawMessages {
  readonly input: readonly unknown[];
  readonly output: readonly unknown[];
}

const told: Readonly<Record<string, string>> = {
  'gen_ai.system.message': 'system',
  'gen_ai.user.message': 'user',
  'gen_ai.assistant.message': 'assistant',
  'gen_ai.tool.message': 'tool',
};

/**
 * The messages in the events of a span, as GenAI conventions had them up to version 1.36: one event for each message that
 * the model was given, and `gen_ai.choice` for what it said. Of several choices the first counts.
 */
export function readEventMessages(events: readonly SpanEvent[]): RawMessages {
  const bodies = events.map(({ name, attributes }) => ({ name, body: bodyOf(attributes) }));
  const input = bodies.flatMap(({ name, body }) =>
    Object.hasOwn(told, name) ? [toMessage(body, told[name] ?? '')] : [],
  );
  const output = bodies
    .filter(({ name, body }) => name === 'gen_ai.choice' && Number(body['index'] ?? 0) === 0)
    .map(({ body }) => toChoice(body));
  return { input, output };
}

/** Fields of an event stand in its attributes, or as JSON in one of them. */
function bodyOf(attributes: Fields): Fields {
  const content = unpack(attributes['gen_ai.event.content'] ?? attributes['event_body']);
  return isFields(content) ? { ...attributes, ...content } : attributes;
}

/** Who speaks is told by the name of the event; a role beside it can be any word. */
function toMessage(body: Fields, role: string): Fields {
  const { id, tool_call_id: callId, name } = body;
  const toolCallId = callId ?? id;
  return {
    role,
    content: blocksIn(body['content']) ?? null,
    ...(name !== undefined && typeof name === 'string' && { name }),
    ...(body['tool_calls'] !== undefined && { tool_calls: unpack(body['tool_calls']) }),
    ...(role === 'tool' && typeof toolCallId === 'string' && { tool_call_id: toolCallId }),
  };
}

function toChoice(body: Fields): Fields {
  const message = unpack(body['message']);
  if (isFields(message)) return toMessage({ tool_calls: body['tool_calls'], ...message }, 'assistant');
  return toMessage({ ...body, content: message ?? body['content'] }, 'assistant');
}

/** Some write a list of blocks down as a text of JSON; any other text is meant as it is. */
export function blocksIn(content: unknown): unknown {
  const blocks = unpack(content);
  return Array.isArray(blocks) && blocks.every(isFields) ? blocks : content;
}
