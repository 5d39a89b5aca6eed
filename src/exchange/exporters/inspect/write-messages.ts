import { isContainer } from '../../../core/lib/json/is-container.ts';
import type { Message, ToolCall } from '../../../core/schema/message.ts';

/** A message of Inspect. */
export interface InspectMessage {
  readonly id: string;
  readonly role: Message['role'];
  readonly content: string | readonly object[];
  readonly [name: string]: unknown;
}

/**
 * Writes messages as Inspect has them: the results of tool calls are messages of their own, which follow the calls.
 * @param prefix - The beginning of their ids.
 */
export function writeMessages(transcript: readonly Message[], prefix: string): InspectMessage[] {
  const answered = new Set(transcript.flatMap(({ toolCallId }) => toolCallId ?? []));
  const written: Omit<InspectMessage, 'id'>[] = [];
  for (const [index, message] of transcript.entries()) {
    const calls = (message.toolCalls ?? []).map((call, place) => ({
      ...call,
      id: call.id ?? `${prefix}-${index}-${place}`,
    }));
    written.push(writeMessage(message, calls));
    for (const call of calls) if (!answered.has(call.id)) written.push(...writeResult(call));
  }
  return written.map((message, index) => ({ ...message, id: `${prefix}-${index}` }) as InspectMessage);
}

type NamedCall = ToolCall & { readonly id: string };

function writeMessage(message: Message, calls: readonly NamedCall[]): Omit<InspectMessage, 'id'> {
  const { role, content, reasoning, toolCallId, name } = message;
  const text = content ?? '';
  const parts = [{ type: 'reasoning', reasoning }, ...(text === '' ? [] : [{ type: 'text', text }])];
  return {
    role,
    content: reasoning === undefined ? text : parts,
    source: role === 'user' ? 'input' : role === 'assistant' ? 'generate' : undefined,
    ...(calls.length > 0 && {
      tool_calls: calls.map((call) => ({
        id: call.id,
        function: call.name,
        arguments: argumentsOf(call.arguments),
        type: 'function',
      })),
    }),
    tool_call_id: toolCallId,
    ...(role === 'tool' && name !== undefined && { function: name }),
  };
}

/** Returns the arguments of a call as an object, since Inspect accepts nothing else. */
function argumentsOf(args: ToolCall['arguments']): object {
  if (args === undefined || args === null) return {};
  return isContainer(args) && !Array.isArray(args) ? args : { value: args };
}

function writeResult({ id, name, result, error }: NamedCall): Omit<InspectMessage, 'id'>[] {
  if (result === undefined && error === undefined) return [];
  return [
    {
      role: 'tool',
      content: error ?? (typeof result === 'string' ? result : JSON.stringify(result)),
      tool_call_id: id,
      function: name,
      ...(error !== undefined && { error: { type: 'unknown', message: error } }),
    },
  ];
}
