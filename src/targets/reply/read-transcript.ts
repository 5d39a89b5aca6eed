import type { Message, ToolCall } from '../../schema/message.ts';
import { invalidField } from './invalid-answer.ts';
import { readMessages } from './messages/read-messages.ts';

/** Reads the messages of a whole conversation; undefined when there are none. */
export function readTranscript(value: unknown, field: string): Message[] | undefined {
  if (value === null || value === undefined) return undefined;
  if (!Array.isArray(value)) throw invalidField(field, value, 'a list of messages');
  return value.length === 0 ? undefined : readMessages(value, field);
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
