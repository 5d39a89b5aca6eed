import { formatPlace } from '../../../../core/errors.ts';
import { lazily } from '../../../../core/lib/lazily.ts';
import type { Attributes, Message, Span } from '../../../../core/schema/message.ts';
import { type Fields, isFields } from '../../reply/part.ts';
import { readMessages } from '../../reply/read-messages.ts';
import { TargetFailure } from '../../target.ts';
import { amountOf, numbered, unpack } from './attribute-values.ts';
import { blocksIn, type RawMessages, readEventMessages } from './event-messages.ts';
import { readSpanText } from './span-text.ts';

/** The messages within a span, and descriptions of what could not be read. */
export interface SpanMessages {
  readonly input: readonly Message[];
  readonly output: readonly Message[];
  readonly notes: readonly string[];
}

const known = new WeakMap<Span, SpanMessages>();

/** Reads the input and the output of a span as messages. The notes name what is not a message. */
export function messagesOf(span: Span): SpanMessages {
  const messages = known.get(span) ?? readSpanMessages(span);
  known.set(span, messages);
  return messages;
}

function readSpanMessages(span: Span): SpanMessages {
  const notes: string[] = [];
  const stated = readAttributes(span.attributes);
  const raw = [() => stated, ...otherReaders.map((reader) => lazily(() => reader(span)))];
  const read = (side: keyof RawMessages): Message[] => {
    for (const each of raw) {
      const messages = tryRead(each()[side], { span, side, notes });
      if (messages.length > 0) return messages;
    }
    return [];
  };
  const input = read('input');
  const output = read('output');
  const instructions = instructionsOf(span, input);
  return { input: [...instructions, ...input], output, notes: [...brokenIn(span, stated), ...notes] };
}

function tryRead(
  list: readonly unknown[],
  { span, side, notes }: { readonly span: Span; readonly side: string; readonly notes: string[] },
): Message[] {
  if (list.length === 0) return [];
  try {
    return readMessages(list, `${side} messages`);
  } catch (error) {
    if (!(error instanceof TargetFailure)) throw error;
    notes.push(`${nameOf(span)}: ${error.message} They are ignored.`);
    return [];
  }
}

/** Returns the name of a span for messages: its own name and its place in the file. */
export function nameOf({ name, place }: Span): string {
  return `the span "${name}" at ${formatPlace(place)}`;
}

/** Readers of messages that libraries record in ways of their own, in addition to or before the conventions. */
const libraryReaders: readonly ((span: Span) => RawMessages)[] = [
  readNumberedPrompts,
  readPrompts,
  readAiSdk,
  readAdk,
  readLogfire,
];

/** Readers of further places that may contain messages, best first: former conventions, then libraries. */
const otherReaders: readonly ((span: Span) => RawMessages)[] = [
  ({ events }) => readAttributes(detailsIn(events)),
  ({ events }) => readEventMessages(events),
  ({ attributes }) => readOpenInferenceMessages(attributes),
  ...libraryReaders,
  readSpanText,
];

/** Reads the messages in the attributes of the current conventions. With several choices, the first counts. */
function readAttributes(attributes: Attributes): RawMessages {
  const output = listIn(attributes['gen_ai.output.messages'], 'assistant');
  const choices = amountOf(attributes, ['gen_ai.request.choice.count']) ?? 1;
  return {
    input: listIn(attributes['gen_ai.input.messages'], 'user'),
    output: choices > 1 ? output.slice(0, 1) : output,
  };
}

function listIn(raw: unknown, role: string): readonly unknown[] {
  const value = unpack(raw);
  return isBroken(value) ? [] : messagesIn(value, role);
}

/** Returns whether an unpacked value is still a text that begins like JSON, because the exporter cut it off at its limit. */
function isBroken(value: unknown): boolean {
  return typeof value === 'string' && /^\s*\[\s*\{/.test(value);
}

/** Returns notes about attributes of the conventions that cannot be read. */
function brokenIn(span: Span, { input, output }: RawMessages): string[] {
  const names = [
    ...(input.length === 0 ? ['gen_ai.input.messages'] : []),
    ...(output.length === 0 ? ['gen_ai.output.messages'] : []),
    'gen_ai.system_instructions',
  ];
  return names
    .filter((name) => isBroken(unpack(span.attributes[name])))
    .map((name) => `${nameOf(span)}: \`${name}\` is cut off or invalid JSON; it is ignored.`);
}

function detailsIn(events: Span['events']): Attributes {
  return events.find(({ name }) => name === 'gen_ai.client.inference.operation.details')?.attributes ?? {};
}

/** Returns instructions given in addition to the messages, unless the messages contain system messages themselves. */
function instructionsOf({ attributes, events }: Span, input: readonly Message[]): Message[] {
  if (input.some(({ role }) => role === 'system')) return [];
  const name = 'gen_ai.system_instructions';
  const raw = unpack(attributes[name] ?? detailsIn(events)[name]);
  if (isBroken(raw)) return [];
  const content = Array.isArray(raw) ? raw.filter((part) => isFields(part) || typeof part === 'string') : raw;
  if (content === undefined || content === null || content === '') return [];
  try {
    return readMessages([{ role: 'system', content }], 'system instructions');
  } catch (error) {
    if (error instanceof TargetFailure) return [];
    throw error;
  }
}

/** Reads the messages in the numbered attributes of OpenInference: `llm.input_messages.0.message.role`. */
function readOpenInferenceMessages(attributes: Attributes): RawMessages {
  return {
    input: [...listed(attributes, 'llm.input_messages', 'user'), ...prompts(attributes)],
    output: [...listed(attributes, 'llm.output_messages', 'assistant'), ...choices(attributes)],
  };
}

function listed(attributes: Attributes, prefix: string, role: string): Fields[] {
  const whole = unpack(attributes[prefix]);
  const objects = Array.isArray(whole) ? whole.filter(isFields) : numbered(attributes, prefix);
  return objects.map((object) => toMessage(object, role));
}

function toMessage(object: Fields, role: string): Fields {
  const calls = membersOf(object, 'message.tool_calls').map(toToolCall);
  const parts = membersOf(object, 'message.contents').flatMap((part) => toPart(part, calls.length > 0));
  const name = object['message.function_call_name'];
  const given = object['message.function_call_arguments_json'];
  return {
    role: object['message.role'] ?? role,
    content: parts.length > 0 ? parts : (object['message.content'] ?? null),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(name !== undefined && { function_call: { name, arguments: given } }),
    ...(object['message.tool_call_id'] !== undefined && { tool_call_id: object['message.tool_call_id'] }),
    ...(object['message.name'] !== undefined && { name: object['message.name'] }),
  };
}

function membersOf(object: Fields, name: string): Fields[] {
  const list = unpack(object[name]);
  return Array.isArray(list) ? list.filter(isFields) : numbered(object, name);
}

function toToolCall(call: Fields): Fields {
  return {
    ...(call['tool_call.id'] !== undefined && { id: call['tool_call.id'] }),
    name: call['tool_call.function.name'],
    arguments: call['tool_call.function.arguments'],
  };
}

/** Reads one content part. A tool call among the contents repeats what `tool_calls` contains, when that is given. */
function toPart(part: Fields, hasCalls: boolean): Fields[] {
  const type = part['message_content.type'];
  if (type !== 'tool_use') return [{ type, text: part['message_content.text'] }];
  return hasCalls ? [] : [{ type, ...toToolCall(part) }];
}

function prompts(attributes: Attributes): Fields[] {
  return numbered(attributes, 'llm.prompts').map((prompt) => ({
    role: 'user',
    content: prompt['prompt.text'] ?? null,
  }));
}

function choices(attributes: Attributes): Fields[] {
  return numbered(attributes, 'llm.choices')
    .slice(0, 1)
    .map((choice) => ({ role: 'assistant', content: choice['completion.text'] ?? null }));
}

/** Reads `gen_ai.prompt.0.role` and `gen_ai.completion.0.content`, of OpenLLMetry. */
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

/** Reads `gen_ai.prompt` and `gen_ai.completion` as JSON, on the span or in its events, up to version 1.27. */
function readPrompts({ attributes, events }: Span): RawMessages {
  const all = [attributes, ...events.map((event) => event.attributes)];
  const find = (name: string) => all.map((each) => each[name]).find((value) => value !== undefined);
  return {
    input: messagesIn(find('gen_ai.prompt'), 'user'),
    output: messagesIn(find('gen_ai.completion'), 'assistant'),
  };
}

/** Reads `ai.prompt.messages` and `ai.response.text`, of the AI SDK. */
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

/** Reads `gcp.vertex.agent.llm_request` and `…llm_response`, of Google's Agent Development Kit. */
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

/** Reads a list of messages or of events as JSON in one attribute, of Pydantic AI and Logfire. */
function readLogfire({ attributes }: Span): RawMessages {
  const all = unpack(attributes['pydantic_ai.all_messages']);
  if (Array.isArray(all)) return { input: all, output: [] };
  const events = unpack(attributes['events'] ?? attributes['all_messages_events']);
  if (!Array.isArray(events)) return { input: [], output: [] };
  return readEventMessages(
    events.filter(isFields).map((event) => ({ name: String(event['event.name']), attributes: event })),
  );
}

/** Reads a list of messages, or a text that is one message. */
function messagesIn(raw: unknown, role: string): unknown[] {
  const value = unpack(raw);
  if (value === undefined || value === null || value === '') return [];
  if (Array.isArray(value)) return Array.isArray(value[0]) && isFields(value[0][0]) ? value[0] : value;
  if (isFields(value) && Array.isArray(value['messages'])) return messagesIn(value['messages'], role);
  if (isFields(value) && value['role'] !== undefined) return [value];
  return [{ role, content: typeof value === 'string' ? value : JSON.stringify(value) }];
}
