import type { Json } from '../schema/json.ts';
import type { Message } from '../schema/message.ts';

/** Messages in the form of `gen_ai.input.messages` and `gen_ai.output.messages`: JSON, with parts by type. */
export function writeMessages(
  messages: readonly Pick<Message, 'role' | 'content' | 'toolCalls' | 'toolCallId'>[],
): string {
  return JSON.stringify(messages.map(({ role, ...message }) => ({ role, parts: partsOf(role, message) })));
}

function partsOf(
  role: Message['role'],
  { content, toolCalls = [], toolCallId }: Pick<Message, 'content' | 'toolCalls' | 'toolCallId'>,
): Json[] {
  if (role === 'tool') {
    return [{ type: 'tool_call_response', id: toolCallId ?? null, response: content }];
  }
  const calls = toolCalls.map(({ id, name, arguments: given }) => ({
    type: 'tool_call',
    id: id ?? null,
    name,
    arguments: given ?? null,
  }));
  return [...(content === null ? [] : [{ type: 'text', content }]), ...calls];
}
