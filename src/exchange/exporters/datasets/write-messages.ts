import type { Message } from '../../../core/schema/message.ts';

/** Writes messages in the form of OpenAI, in which the result of a tool is a message after its call. */
export function writeMessages(messages: readonly Message[]): object[] {
  return messages.flatMap(({ role, content, toolCalls = [], toolCallId }) => [
    {
      role,
      content: content ?? '',
      ...(toolCalls.length > 0 && {
        tool_calls: toolCalls.map(({ name, arguments: args }, index) => ({
          id: idOf(toolCalls, index),
          type: 'function',
          function: { name, arguments: JSON.stringify(args ?? {}) },
        })),
      }),
      tool_call_id: toolCallId,
    },
    ...toolCalls.flatMap(({ result, error }, index) => {
      const said = error ?? result;
      if (said === undefined) return [];
      const text = typeof said === 'string' ? said : JSON.stringify(said);
      return [{ role: 'tool', tool_call_id: idOf(toolCalls, index), content: text }];
    }),
  ]);
}

function idOf(calls: NonNullable<Message['toolCalls']>, index: number): string {
  return calls[index]?.id ?? `call_${index + 1}`;
}
