import type { Message, ToolCall } from '../../../core/schema/message.ts';
import { fromFramework } from './framework-messages.ts';
import { contentOf, idOf, joined, readPart, withMarks } from './message-parts.ts';
import { roleOf, withResults } from './message-roles.ts';
import {
  type Fields,
  isFields,
  type Part,
  type ReadMessage,
  textIn,
  type ToolResult,
  toText,
} from './part.ts';
import { addListed, filesAlone, readListedFiles, readReplyFile } from './reply-files.ts';
import { findField, invalidField } from './read-text.ts';
import { readJsonText, readOutcome, readToolCalls } from './read-tool-calls.ts';
import { replyAliases } from './reply-aliases.ts';
import { toJson } from './to-json.ts';

/**
 * Reads a conversation as model APIs and the frameworks around them write it: messages of OpenAI, Anthropic, Gemini,
 * Bedrock, LangChain, the AI SDK and OpenTelemetry, and the items of OpenAI's Responses interface, in any mixture.
 * Throws `TargetFailure` with the item that is not a message.
 */
export function readMessages(list: readonly unknown[], field: string): Message[] {
  const read = Array.from(list, (item, index) => readItem(item, `${field}[${index}]`)).flat();
  return withResults(joinThoughts(read));
}

/** Reads the messages of a whole conversation; undefined when there are none. */
export function readTranscript(value: unknown, field: string): Message[] | undefined {
  if (value === null || value === undefined) return undefined;
  if (!Array.isArray(value)) throw invalidField(field, value, 'a list of messages');
  return value.length === 0 ? undefined : readMessages(value, field);
}

/**
 * Adds the tool calls reported next to a transcript to it. When its own messages report calls, those take precedence;
 * otherwise the calls are added to the last message of the assistant.
 */
export function withToolCalls(transcript: Message[], toolCalls: ToolCall[]): Message[] {
  const hasOwn = transcript.some((message) => message.toolCalls !== undefined);
  if (toolCalls.length === 0 || hasOwn) return transcript;
  const last = transcript.findLastIndex((message) => message.role === 'assistant');
  return last === -1
    ? [...transcript, { role: 'assistant', content: null, toolCalls }]
    : transcript.with(last, { ...(transcript[last] as Message), toolCalls });
}

function readItem(item: unknown, field: string): ReadMessage[] {
  const found = isFields(item) ? fromFramework(item) : undefined;
  if (found !== undefined) return found.flatMap((each) => readItem(each, field));
  const value = unwrapMessage(item);
  if (!isFields(value)) throw invalidField(field, value, 'a message with `role` and `content`');
  return readResponseItem(value) ?? readMessage(value, field);
}

/** Joins a thought that comes alone with the next message of the assistant. */
function joinThoughts(messages: readonly ReadMessage[]): ReadMessage[] {
  const joined: ReadMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last !== undefined && isThought(last) && message.role === 'assistant') {
      joined.splice(-1, 1, { ...message, ...joinReasoning(last, message) });
    } else joined.push(message);
  }
  return joined;
}

function isThought({ role, content, toolCalls, reasoning }: Message): boolean {
  return role === 'assistant' && content === null && toolCalls === undefined && reasoning !== undefined;
}

function joinReasoning(first: Message, second: Message): Pick<Message, 'reasoning'> {
  const reasoning = [first.reasoning, second.reasoning].filter((text) => text !== undefined).join('\n\n');
  return reasoning === '' ? {} : { reasoning };
}

/**
 * Unwraps a message from the objects in which LangChain and logs of single messages keep it. Anything else is returned
 * as it is.
 */
export function unwrapMessage(value: unknown): unknown {
  if (Array.isArray(value) && value.length === 2 && value.every((part) => typeof part === 'string')) {
    return { role: value[0], content: value[1] };
  }
  if (!isFields(value)) return value;
  if (value['lc'] !== undefined && isFields(value['kwargs'])) {
    return { type: classOf(value), ...value['kwargs'] };
  }
  if (value['role'] === undefined && isFields(value['data']) && 'content' in value['data']) {
    return { ...value['data'], type: value['type'] };
  }
  if (value['role'] === undefined && isFields(value['message']) && 'role' in value['message']) {
    return value['message'];
  }
  return value;
}

/** Returns the class name of a serialised object, which is the last part of its location in the library. */
function classOf({ id }: Fields): unknown {
  return Array.isArray(id) ? id.at(-1) : undefined;
}

/** Types of items without content: references to others, and lists of available tools. */
const silent = ['item_reference', 'mcp_list_tools'];

/**
 * Reads an item of OpenAI's Responses interface that is not a message: a tool call, its output, a thought. Undefined
 * for anything else.
 */
function readResponseItem(value: Fields): ReadMessage[] | undefined {
  const { type, role } = value;
  if (typeof type !== 'string' || role !== undefined) return undefined;
  if (silent.includes(type)) return [];
  if (type === 'reasoning') return [readThought(value)];
  if (type.endsWith('_call_output')) return [readOutput(value)];
  return type.endsWith('_call') ? [readCall(type, value)] : undefined;
}

function readCall(type: string, value: Fields): ReadMessage {
  const id = textIn(value['call_id'] ?? value['id']);
  const call: ToolCall = {
    name: textIn(value['name']) ?? type.slice(0, -'_call'.length),
    ...(id !== undefined && { id }),
    ...readArguments(value),
    ...readOwnOutcome(value),
  };
  const message: ReadMessage = { role: 'assistant', content: null, toolCalls: [call] };
  const { result } = value;
  if (type !== 'image_generation_call' || typeof result !== 'string') return message;
  return { ...message, ...filesAlone([readReplyFile(value, { from: { kind: 'data', base64: result } })]) };
}

/** Reads the arguments of a call. Tools that run at the provider keep theirs under names of their own. */
function readArguments(value: Fields): Pick<ToolCall, 'arguments'> {
  const args = value['arguments'] ?? value['input'] ?? value['action'];
  if (args !== undefined && args !== null) {
    return { arguments: typeof args === 'string' ? readJsonText(args) : toJson(args) };
  }
  const { queries, code } = value;
  if (queries !== undefined) return { arguments: { queries: toJson(queries) } };
  return code === undefined ? {} : { arguments: { code: toJson(code) } };
}

function readOwnOutcome(value: Fields): Pick<ToolCall, 'result' | 'error'> {
  const { error } = value;
  if (error !== undefined && error !== null) {
    const message = isFields(error) ? textIn(error['message']) : undefined;
    return { error: message ?? toText(toJson(error)) };
  }
  const output = value['output'] ?? value['outputs'] ?? value['results'];
  return output === undefined || output === null ? {} : readOutcome(output);
}

function readOutput(value: Fields): ReadMessage {
  const outcome = readOutcome(value['output'] ?? null);
  const id = idOf({ call_id: value['call_id'] });
  return {
    role: 'tool',
    content: outcome.error ?? toText(outcome.result ?? null),
    ...(id !== undefined && { toolCallId: id }),
    outcome,
  };
}

function readThought({ summary, content }: Fields): ReadMessage {
  const texts = [summary, content].flat().flatMap((part) => (isFields(part) ? [textIn(part['text'])] : []));
  const reasoning = texts.filter((text) => text !== undefined).join('\n\n');
  return { role: 'assistant', content: null, ...(reasoning !== '' && { reasoning }) };
}

/**
 * Reads one message with all its parts. Outcomes of tools become messages of their own, before the text of a user
 * next to them. Throws `TargetFailure` with the name of the invalid field.
 */
function readMessage(value: Fields, field: string): ReadMessage[] {
  const role = readRole(value, field);
  const parts = readContent(value, field);
  if (role === 'tool' && !parts.some(({ type }) => type === 'result'))
    return [readToolMessage(value, withMarks(parts))];
  const results = parts.flatMap((part) => (part.type === 'result' ? [toToolMessage(part.result)] : []));
  const message = toMessage(value, role, { parts, field });
  if (role === 'assistant') return [message, ...results];
  const isOnlyResults = results.length > 0 && message.content === null && message.toolCalls === undefined;
  return isOnlyResults ? results : [...results, message];
}

function readRole(value: Fields, field: string): Message['role'] {
  const found = findField(value, ['role', 'type']);
  const role = roleOf(found?.value);
  if (role === undefined)
    throw invalidField(`${field}.role`, found?.value, 'system, user, assistant or tool');
  return role;
}

function readContent(value: Fields, field: string): Part[] {
  const found = findField(value, ['content', 'parts', 'text']);
  const name = `${field}.${found?.name}`;
  const content = found?.value ?? null;
  if (content === null) return [];
  if (typeof content === 'string') return [{ type: 'text', text: content.toWellFormed() }];
  if (Array.isArray(content)) return content.flatMap((part, index) => readPart(part, `${name}[${index}]`));
  if (isFields(content) && found?.name === 'content' && 'parts' in content) return readContent(content, name);
  if (isFields(content)) return readPart(content, name);
  throw invalidField(name, content, 'text, null or a list of text parts');
}

function toMessage(
  value: Fields,
  role: Message['role'],
  { parts, field }: { readonly parts: readonly Part[]; readonly field: string },
): Message {
  const toolCalls = [
    ...parts.flatMap((part) => (part.type === 'call' ? [part.call] : [])),
    ...readCallsBeside(value, field),
  ];
  const reasoning = joined(parts, 'reasoning') ?? textIn(value['reasoning'] ?? value['reasoning_content']);
  const name = textIn(value['name']);
  const { content, ...files } = contentOf(parts);
  const message = {
    role,
    content: content ?? textIn(value['refusal']) ?? null,
    ...files,
    ...(toolCalls.length > 0 && { toolCalls }),
    ...(reasoning !== undefined && { reasoning }),
    ...(name !== undefined && { name }),
  };
  return addListed(message, readListedFiles(value));
}

/** Reads calls besides the content, including the calls of OpenAI's first interface for functions. */
function readCallsBeside(value: Fields, field: string): ToolCall[] {
  const extra = isFields(value['additional_kwargs']) ? value['additional_kwargs'] : {};
  const calls = findField({ ...extra, ...value }, replyAliases.toolCalls.slice(0, 2));
  const read = calls === undefined ? [] : readToolCalls(calls.value, `${field}.${calls.name}`);
  // LangChain keeps calls whose arguments are no JSON apart.
  const invalid = value['invalid_tool_calls'];
  if (Array.isArray(invalid)) read.push(...readToolCalls(invalid, `${field}.invalid_tool_calls`));
  if (read.length > 0) return read;
  const single = value['function_call'] ?? extra['function_call'];
  return isFields(single) ? readToolCalls([single], `${field}.function_call`) : [];
}

function readToolMessage(value: Fields, parts: readonly Part[]): ReadMessage {
  const { name, status, error, content } = value;
  const reported = textIn(isFields(error) ? error['message'] : error);
  const isError = status === 'error' || value['is_error'] === true || value['isError'] === true;
  const words = joined(parts, 'text');
  const outcome =
    reported === undefined ? readOutcome(content ?? words ?? null, isError) : { error: reported };
  const { id } = toolIdOf(value);
  return {
    role: 'tool',
    content: words ?? null,
    ...(id !== undefined && { toolCallId: id }),
    ...(typeof name === 'string' && { name: name.toWellFormed() }),
    outcome,
  };
}

/** Returns the id of the call. In a message with an id of its own, the call's id has another name. */
function toolIdOf({ id, ...others }: Fields): { readonly id: string | undefined } {
  return { id: idOf(others) ?? idOf({ id }) };
}

function toToolMessage({ id, name, outcome }: ToolResult): ReadMessage {
  return {
    role: 'tool',
    content: outcome.error ?? toText(outcome.result ?? null),
    ...(id !== undefined && { toolCallId: id }),
    ...(name !== undefined && { name }),
    outcome,
  };
}
