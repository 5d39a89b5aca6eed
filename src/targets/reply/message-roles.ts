import type { Message, ToolCall } from '../../schema/message.ts';
import type { Outcome, ReadMessage } from './part.ts';

/** Who speaks, in the words of the programs that write conversations down; capital and small letters are the same. */
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

/** Our name for a role; undefined for a text that is none, and for anything else. */
export function roleOf(value: unknown): Message['role'] | undefined {
  if (typeof value !== 'string') return undefined;
  const name = value.toLowerCase();
  return Object.hasOwn(roles, name) ? roles[name] : undefined;
}

/**
 * A conversation in which what tools gave back is kept with the calls that asked for it. A tool's message that belongs to
 * no call stays where it is.
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
    waiting.push(
      ...(toolCalls ?? []).filter((given) => given.result === undefined && given.error === undefined),
    );
    kept.push(toolCalls === undefined ? message : { ...message, toolCalls });
  }
  return kept;
}

/** Whether it is not known what came of a call. */
export function isWaiting({ result, error }: ToolCall): boolean {
  return result === undefined && error === undefined;
}

function takeCall(waiting: ToolCall[], message: Message): ToolCall | undefined {
  const call = findCall(waiting, message);
  if (call !== undefined) waiting.splice(waiting.indexOf(call), 1);
  return call;
}

/**
 * Which of the calls that wait for a result a tool's message answers: the last one with its id, since some programs use an
 * id twice; where no call has it, the first one without an id that has its name, or the first when it has neither.
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
