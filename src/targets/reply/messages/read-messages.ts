import type { Message } from '../../../schema/message.ts';
import { invalidField } from '../invalid-answer.ts';
import { isFields, type ReadMessage } from './part.ts';
import { readMessage } from './read-message.ts';
import { readResponseItem } from './response-items.ts';
import { unwrapMessage } from './unwrap-message.ts';
import { withResults } from './with-results.ts';

/**
 * Reads a conversation as the APIs of models and the frameworks around them write it: messages of OpenAI, Anthropic,
 * Gemini, Bedrock, LangChain, the AI SDK and OpenTelemetry, and the items of OpenAI's Responses interface, one beside the
 * other if need be. Throws `TargetFailure` naming the message that is none.
 */
export function readMessages(list: readonly unknown[], field: string): Message[] {
  const read = Array.from(list, (item, index) => readItem(item, `${field}[${index}]`)).flat();
  return withResults(joinThoughts(read));
}

function readItem(item: unknown, field: string): ReadMessage[] {
  const value = unwrapMessage(item);
  if (!isFields(value)) throw invalidField(field, value, 'a message with `role` and `content`');
  return readResponseItem(value) ?? readMessage(value, field);
}

/** A thought that stands alone belongs to what the assistant says next. */
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
