import type { Span } from '../../../schema/recorded-trace.ts';
import { type Fields, isFields, numbered, unpack } from './attribute-values.ts';
import { blocksIn, type RawMessages, readEventMessages } from './event-messages.ts';

/** Messages that libraries write down in ways of their own, beside or before the conventions. */
export const libraryReaders: readonly ((span: Span) => RawMessages)[] = [
  readNumberedPrompts,
  readPrompts,
  readAiSdk,
  readAdk,
  readLogfire,
];

/** `gen_ai.prompt.0.role` and `gen_ai.completion.0.content`, of OpenLLMetry. */
function readNumberedPrompts({ attributes }: Span): RawMessages {
  const toMessage = (object: Fields, role: string): Fields => {
    const calls = numbered(object, 'tool_calls').filter(({ name }) => name !== undefined);
    return {
      role: object['role'] ?? role,
      content: blocksIn(object['content']) ?? null,
      ...(calls.length > 0 && { tool_calls: calls }),
      ...(object['tool_call_id'] !== undefined && { tool_call_id: object['tool_call_id'] }),
    };
  };
  return {
    input: numbered(attributes, 'gen_ai.prompt').map((object) => toMessage(object, 'user')),
    output: numbered(attributes, 'gen_ai.completion')
      .slice(0, 1)
      .map((object) => toMessage(object, 'assistant')),
  };
}

/** `gen_ai.prompt` and `gen_ai.completion` as JSON, on the span or in its events, up to version 1.27. */
function readPrompts({ attributes, events }: Span): RawMessages {
  const all = [attributes, ...events.map((event) => event.attributes)];
  const find = (name: string) => all.map((each) => each[name]).find((value) => value !== undefined);
  return {
    input: messagesIn(find('gen_ai.prompt'), 'user'),
    output: messagesIn(find('gen_ai.completion'), 'assistant'),
  };
}

/** `ai.prompt.messages` and `ai.response.text`, of the AI SDK. */
function readAiSdk({ attributes }: Span): RawMessages {
  const prompt = unpack(attributes['ai.prompt']);
  const inner = isFields(prompt) ? prompt : {};
  const system = inner['system'] === undefined ? [] : [{ role: 'system', content: inner['system'] }];
  const input = attributes['ai.prompt.messages'] ?? inner['messages'] ?? inner['prompt'];
  const text = attributes['ai.response.text'] ?? attributes['ai.response.object'];
  const calls = unpack(attributes['ai.response.toolCalls']);
  const content = [
    ...(text === undefined ? [] : [{ type: 'text', text }]),
    ...(Array.isArray(calls) ? calls.filter(isFields).map((call) => ({ ...call, type: 'tool-call' })) : []),
  ];
  const output = content.length === 0 ? [] : [{ role: 'assistant', content }];
  return { input: [...system, ...messagesIn(input, 'user')], output };
}

/** `gcp.vertex.agent.llm_request` and `…llm_response`, of Google's Agent Development Kit. */
function readAdk({ attributes }: Span): RawMessages {
  const request = unpack(attributes['gcp.vertex.agent.llm_request']);
  const response = unpack(attributes['gcp.vertex.agent.llm_response']);
  const config = isFields(request) && isFields(request['config']) ? request['config'] : {};
  const instruction = config['system_instruction'];
  const system = instruction === undefined ? [] : [{ role: 'system', content: instruction }];
  const contents = isFields(request) && Array.isArray(request['contents']) ? request['contents'] : [];
  const content = isFields(response) ? response['content'] : undefined;
  return {
    input: [...system, ...contents],
    output: isFields(content) ? [{ role: 'model', ...content }] : [],
  };
}

/** A list of messages or of events as JSON in one attribute, of Pydantic AI and Logfire. */
function readLogfire({ attributes }: Span): RawMessages {
  const all = unpack(attributes['pydantic_ai.all_messages']);
  if (Array.isArray(all)) return { input: all, output: [] };
  const events = unpack(attributes['events'] ?? attributes['all_messages_events']);
  if (!Array.isArray(events)) return { input: [], output: [] };
  return readEventMessages(
    events.filter(isFields).map((event) => ({ name: String(event['event.name']), attributes: event })),
  );
}

/** A list of messages, or a text that is one. */
export function messagesIn(given: unknown, role: string): unknown[] {
  const value = unpack(given);
  if (value === undefined || value === null || value === '') return [];
  if (Array.isArray(value)) return Array.isArray(value[0]) && isFields(value[0][0]) ? value[0] : value;
  if (isFields(value) && Array.isArray(value['messages'])) return messagesIn(value['messages'], role);
  if (isFields(value) && value['role'] !== undefined) return [value];
  return [{ role, content: typeof value === 'string' ? value : JSON.stringify(value) }];
}
