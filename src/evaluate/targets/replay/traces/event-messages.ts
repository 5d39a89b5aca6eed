import type { SpanEvent } from '../../../../core/schema/message.ts';
import { type Fields, isFields } from '../../reply/part.ts';
import { unpack } from './attribute-values.ts';

/** The messages that a model received and sent, not yet parsed, in any dialect. */
export interface RawMessages {
  readonly input: readonly unknown[];
  readonly output: readonly unknown[];
}

const inputEventRoles: Readonly<Record<string, string>> = {
  'gen_ai.system.message': 'system',
  'gen_ai.user.message': 'user',
  'gen_ai.assistant.message': 'assistant',
  'gen_ai.tool.message': 'tool',
};

/**
 * Returns the messages in the events of a span, as in the GenAI conventions up to version 1.36: one event for each
 * message that the model received, and `gen_ai.choice` for what it said. With several choices, the first counts.
 */
export function readEventMessages(events: readonly SpanEvent[]): RawMessages {
  const bodies = events.map(({ name, attributes }) => ({ name, body: bodyOf(attributes) }));
  const input = bodies.flatMap(({ name, body }) =>
    Object.hasOwn(inputEventRoles, name) ? [toMessage(body, inputEventRoles[name] ?? '')] : [],
  );
  const output = bodies
    .filter(({ name, body }) => name === 'gen_ai.choice' && Number(body['index'] ?? 0) === 0)
    .map(({ body }) => toChoice(body));
  return { input, output };
}

/** Returns the fields of an event, which are attributes or JSON in one of them. */
function bodyOf(attributes: Fields): Fields {
  const content = unpack(attributes['gen_ai.event.content'] ?? attributes['event_body']);
  return isFields(content) ? { ...attributes, ...content } : attributes;
}

/** Returns a message with the role that the event's name states; a role among its fields can be any word. */
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

/** Parses a list of blocks from a text of JSON, as some libraries write it. Any other text stays as it is. */
export function blocksIn(content: unknown): unknown {
  const blocks = unpack(content);
  return Array.isArray(blocks) && blocks.every(isFields) ? blocks : content;
}
