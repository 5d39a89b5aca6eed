import { formatPlace } from '../../../errors.ts';
import { lazily } from '../../../lib/lazily.ts';
import type { Message } from '../../../schema/message.ts';
import type { Attributes, Span } from '../../../schema/recorded-trace.ts';
import { readMessages } from '../../reply/messages/read-messages.ts';
import { TargetFailure } from '../../target.ts';
import { amountOf, type Fields, isFields, numbered, unpack } from './attribute-values.ts';
import { type RawMessages, readEventMessages } from './event-messages.ts';
import { libraryReaders, messagesIn } from './library-messages.ts';
import { readSpanText } from './span-text.ts';

/** What was said within a span, and what of it could not be read. */
export interface SpanMessages {
  readonly input: readonly Message[];
  readonly output: readonly Message[];
  readonly notes: readonly string[];
}

/** What else may hold messages, best first: what the conventions once said, then what libraries do. */
const otherReaders: readonly ((span: Span) => RawMessages)[] = [
  ({ events }) => readAttributes(detailsIn(events)),
  ({ events }) => readEventMessages(events),
  ({ attributes }) => readOpenInferenceMessages(attributes),
  ...libraryReaders,
  readSpanText,
];

const known = new WeakMap<Span, SpanMessages>();

/** Reads what a span was given and what it gave back as messages. What is no message is named in the notes. */
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
    notes.push(`${nameOf(span)}: ${error.message} They are left out.`);
    return [];
  }
}

/** A span as messages name it: by its name and its place in the file. */
export function nameOf({ name, place }: Span): string {
  return `the span "${name}" at ${formatPlace(place)}`;
}

/** Of several choices that the model gave the first counts. */
function readAttributes(attributes: Attributes): RawMessages {
  const output = listIn(attributes['gen_ai.output.messages'], 'assistant');
  const choices = amountOf(attributes, ['gen_ai.request.choice.count']) ?? 1;
  return {
    input: listIn(attributes['gen_ai.input.messages'], 'user'),
    output: choices > 1 ? output.slice(0, 1) : output,
  };
}

function listIn(given: unknown, role: string): readonly unknown[] {
  const value = unpack(given);
  return isBroken(value) ? [] : messagesIn(value, role);
}

/** Whether what was unpacked is still a text that begins like JSON: exporters cut off what is longer than their limit. */
function isBroken(value: unknown): boolean {
  return typeof value === 'string' && /^\s*\[\s*\{/.test(value);
}

/** Notes on what the conventions have a place for, and what is there cannot be read. */
function brokenIn(span: Span, { input, output }: RawMessages): string[] {
  const names = [
    ...(input.length === 0 ? ['gen_ai.input.messages'] : []),
    ...(output.length === 0 ? ['gen_ai.output.messages'] : []),
    'gen_ai.system_instructions',
  ];
  return names
    .filter((name) => isBroken(unpack(span.attributes[name])))
    .map((name) => `${nameOf(span)}: \`${name}\` is cut off, or no JSON; it is left out.`);
}

function detailsIn(events: Span['events']): Attributes {
  return events.find(({ name }) => name === 'gen_ai.client.inference.operation.details')?.attributes ?? {};
}

/** Instructions that were given beside the messages, unless the messages begin with some. */
function instructionsOf({ attributes, events }: Span, input: readonly Message[]): Message[] {
  if (input.some(({ role }) => role === 'system')) return [];
  const name = 'gen_ai.system_instructions';
  const given = unpack(attributes[name] ?? detailsIn(events)[name]);
  if (isBroken(given)) return [];
  const content = Array.isArray(given)
    ? given.filter((part) => isFields(part) || typeof part === 'string')
    : given;
  if (content === undefined || content === null || content === '') return [];
  try {
    return readMessages([{ role: 'system', content }], 'system instructions');
  } catch (error) {
    if (error instanceof TargetFailure) return [];
    throw error;
  }
}

/** The messages in the numbered attributes of OpenInference: `llm.input_messages.0.message.role`. */
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

/** A use of a tool among the contents says again what stands under `tool_calls`, where that is given. */
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
