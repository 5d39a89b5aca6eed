import type { Message, ToolCall } from '../../../core/schema/message.ts';
import type { Outcome, ReadMessage } from './part.ts';

/** The roles by the names that programs use for them, in lower case. */
const roles: Readonly<Record<string, Message['role']>> = {
  system: 'system',
  developer: 'system',
  instruction: 'system',
  instructions: 'system',
  systemmessage: 'system',
  user: 'user',
  human: 'user',
  customer: 'user',
  humanmessage: 'user',
  humanmessagechunk: 'user',
  assistant: 'assistant',
  ai: 'assistant',
  bot: 'assistant',
  model: 'assistant',
  agent: 'assistant',
  aimessage: 'assistant',
  aimessagechunk: 'assistant',
  tool: 'tool',
  function: 'tool',
  toolmessage: 'tool',
  functionmessage: 'tool',
};

/** Returns Touchstone's name for a role; undefined for any other value. */
export function roleOf(value: unknown): Message['role'] | undefined {
  if (typeof value !== 'string') return undefined;
  const name = value.toLowerCase();
  return Object.hasOwn(roles, name) ? roles[name] : undefined;
}

/**
 * Returns a conversation in which the outcomes of tools go with the calls that asked for them. A tool's message
 * that belongs to no call stays where it is.
 */
export function withResults(messages: readonly ReadMessage[]): Message[] {
  const kept: Message[] = [];
  const waiting: ToolCall[] = [];
  for (const { outcome, ...message } of messages) {
    const call = outcome === undefined ? undefined : takeCall(waiting, message);
    if (call !== undefined) {
      Object.assign(call, withoutUndefined(outcome));
      continue;
    }
    const toolCalls = message.toolCalls?.map((given) => ({ ...given }));
    waiting.push(...(toolCalls ?? []).filter(isWaiting));
    kept.push(toolCalls === undefined ? message : { ...message, toolCalls });
  }
  return kept;
}

/** Returns whether the outcome of a call is unknown. */
export function isWaiting({ result, error }: ToolCall): boolean {
  return result === undefined && error === undefined;
}

function takeCall(waiting: ToolCall[], message: Message): ToolCall | undefined {
  const call = findCall(waiting, message);
  if (call !== undefined) waiting.splice(waiting.indexOf(call), 1);
  return call;
}

/**
 * Returns the waiting call that a tool's message answers: the last one with its id, since some programs use an id
 * twice. When no call has the id, it is the first one without an id that has the same name, or the first one when the
 * message has neither.
 */
export function findCall(
  waiting: readonly ToolCall[],
  { toolCallId, name }: Pick<Message, 'toolCallId' | 'name'>,
): ToolCall | undefined {
  const byId = toolCallId === undefined ? undefined : waiting.findLast(({ id }) => id === toolCallId);
  return (
    byId ??
    waiting.find(
      (call) =>
        (toolCallId === undefined || call.id === undefined) && (name === undefined || call.name === name),
    )
  );
}

function withoutUndefined(outcome: Outcome = {}): Outcome {
  return Object.fromEntries(Object.entries(outcome).filter(([, value]) => value !== undefined));
}
