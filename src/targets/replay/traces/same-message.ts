import { isDeepStrictEqual } from 'node:util';
import type { Message, ToolCall } from '../../../schema/message.ts';

/** Whether two messages are the same one, told twice: results of tools may be known only the second time. */
function isSameMessage(one: Message, other: Message): boolean {
  if (one.role !== other.role || plain(one.content) !== plain(other.content)) return false;
  const [calls, others] = [one.toolCalls ?? [], other.toolCalls ?? []];
  return calls.length === others.length && calls.every((call, index) => isSameCall(call, others[index]));
}

function plain(content: string | null): string {
  return (content ?? '').trim();
}

function isSameCall(one: ToolCall, other: ToolCall | undefined): boolean {
  if (other === undefined || one.name !== other.name) return false;
  if (one.id !== undefined && other.id !== undefined) return one.id === other.id;
  return (
    one.arguments === undefined ||
    other.arguments === undefined ||
    isDeepStrictEqual(one.arguments, other.arguments)
  );
}

/** How many messages at the end of one list are those at the beginning of another. */
export function overlapOf(list: readonly Message[], next: readonly Message[]): number {
  for (let length = Math.min(list.length, next.length); length > 0; length -= 1) {
    const from = list.length - length;
    if (
      next.slice(0, length).every((message, index) => isSameMessage(list[from + index] as Message, message))
    ) {
      return length;
    }
  }
  return 0;
}
