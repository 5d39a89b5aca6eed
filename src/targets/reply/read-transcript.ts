import type { Message, ToolCall } from '../../schema/message.ts';
import { findField } from './find-field.ts';
import { invalidField } from './invalid-answer.ts';
import { readToolCalls } from './read-tool-calls.ts';
import { replyAliases, toolCallAliases } from './reply-aliases.ts';

const roles: Readonly<Record<string, Message['role']>> = {
  system: 'system',
  developer: 'system',
  user: 'user',
  human: 'user',
  assistant: 'assistant',
  ai: 'assistant',
  bot: 'assistant',
  model: 'assistant',
  tool: 'tool',
  function: 'tool',
};

/** Reads the messages of a whole conversation; undefined when there are none. */
export function readTranscript(value: unknown, field: string): Message[] | undefined {
  if (value === null || value === undefined) return undefined;
  if (!Array.isArray(value)) throw invalidField(field, value, 'a list of messages');
  if (value.length === 0) return undefined;
  return Array.from(value, (item, index) => readMessage(item, `${field}[${index}]`));
}

function readMessage(value: unknown, field: string): Message {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw invalidField(field, value, 'a message with `role` and `content`');
  }
  const content = findField(value, ['content', 'text'])?.value ?? null;
  const calls = findField(value, replyAliases.toolCalls.slice(0, 2));
  const toolCalls = calls === undefined ? [] : readToolCalls(calls.value, `${field}.${calls.name}`);
  const message: Message = {
    role: readRole(findField(value, ['role', 'type'])?.value, `${field}.role`),
    content: readContent(content, `${field}.content`),
  };
  if (toolCalls.length > 0) message.toolCalls = toolCalls;
  const reasoning = findField(value, ['reasoning', 'reasoning_content'])?.value;
  if (typeof reasoning === 'string' && reasoning !== '') message.reasoning = reasoning.toWellFormed();
  return { ...message, ...readNames(value) };
}

function readRole(value: unknown, field: string): Message['role'] {
  const role = typeof value === 'string' && Object.hasOwn(roles, value) ? roles[value] : undefined;
  if (role === undefined) throw invalidField(field, value, 'system, user, assistant or tool');
  return role;
}

function readNames(value: object): Pick<Message, 'toolCallId' | 'name'> {
  const toolCallId = findField(value, toolCallAliases.id.slice(1))?.value;
  const name = findField(value, ['name'])?.value;
  return {
    ...(typeof toolCallId === 'string' && { toolCallId: toolCallId.toWellFormed() }),
    ...(typeof name === 'string' && { name: name.toWellFormed() }),
  };
}

/** Text, nothing, or a list of text parts as the model APIs write them. */
function readContent(value: unknown, field: string): string | null {
  if (value === null) return null;
  if (typeof value === 'string') return value.toWellFormed();
  if (!Array.isArray(value)) throw invalidField(field, value, 'text, null or a list of text parts');
  return Array.from(value, (part: unknown, index) => {
    const text = part !== null && typeof part === 'object' ? findField(part, ['text'])?.value : part;
    if (typeof text === 'string') return text.toWellFormed();
    throw invalidField(`${field}[${index}]`, part, 'a part with a `text`');
  }).join('');
}

/**
 * A transcript that holds the tool calls reported beside it. Where its own messages report calls those count;
 * otherwise the others are put on the last message of the assistant.
 */
export function withToolCalls(transcript: Message[], toolCalls: ToolCall[]): Message[] {
  const hasOwn = transcript.some((message) => message.toolCalls !== undefined);
  if (toolCalls.length === 0 || hasOwn) return transcript;
  const last = transcript.findLastIndex((message) => message.role === 'assistant');
  return last === -1
    ? [...transcript, { role: 'assistant', content: null, toolCalls }]
    : transcript.with(last, { ...(transcript[last] as Message), toolCalls });
}
