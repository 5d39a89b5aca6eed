import type { Json } from '../../schema/json.ts';
import type { ToolCall } from '../../schema/message.ts';
import type { ChatMessage } from '../model.ts';

/** What a tool gave back. */
export interface ToolResult {
  readonly id: string;
  readonly name: string;
  readonly content: string;
  readonly isError: boolean;
}

/** A conversation as providers want it: every tool call has an id, and is followed by its result. */
export type Turn =
  | { readonly role: 'user'; readonly text: string }
  | {
      readonly role: 'assistant';
      readonly text: string | null;
      readonly toolCalls: readonly { readonly id: string; readonly name: string; readonly arguments: Json }[];
      readonly continuation: ChatMessage['continuation'];
    }
  | { readonly role: 'tools'; readonly results: readonly ToolResult[] };

/** The system prompt and the turns of a conversation. */
export interface Conversation {
  /** All system messages, joined; undefined when there is none. */
  readonly system: string | undefined;
  readonly turns: readonly Turn[];
}

/**
 * Brings messages into the order and the completeness that every provider accepts. Results that a dataset keeps with
 * the call become results of their own.
 */
export function toTurns(messages: readonly ChatMessage[]): Conversation {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content ?? '');
  const turns: Turn[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === 'user') turns.push({ role: 'user', text: message.content ?? '' });
    if (message.role === 'assistant') addAssistant(message, messages.slice(index + 1), turns);
  }
  return { system: system.length === 0 ? undefined : system.join('\n\n'), turns };
}

function addAssistant(message: ChatMessage, later: readonly ChatMessage[], turns: Turn[]): void {
  const calls = (message.toolCalls ?? []).map((call, index) => ({
    ...call,
    id: call.id ?? `call_${turns.length}_${index}`,
  }));
  turns.push({
    role: 'assistant',
    text: message.content,
    toolCalls: calls.map(({ id, name, arguments: given }) => ({ id, name, arguments: given ?? {} })),
    continuation: message.continuation,
  });
  if (calls.length === 0) return;
  const answers = takeWhile(later, ({ role }) => role === 'tool');
  const results = calls.map((call, index) => {
    const answer = answers.find(({ toolCallId }) => toolCallId === call.id) ?? withoutId(answers, index);
    return toResult(call, answer);
  });
  turns.push({ role: 'tools', results });
}

function withoutId(answers: readonly ChatMessage[], index: number): ChatMessage | undefined {
  const answer = answers[index];
  return answer?.toolCallId === undefined ? answer : undefined;
}

function toResult(call: ToolCall & { readonly id: string }, answer: ChatMessage | undefined): ToolResult {
  const { id, name, result, error } = call;
  if (answer !== undefined) return { id, name, content: answer.content ?? '', isError: error !== undefined };
  if (error !== undefined) return { id, name, content: error, isError: true };
  if (result === undefined) return { id, name, content: '(the result was not recorded)', isError: false };
  return { id, name, content: typeof result === 'string' ? result : JSON.stringify(result), isError: false };
}

function takeWhile<Item>(items: readonly Item[], test: (item: Item) => boolean): readonly Item[] {
  const end = items.findIndex((item) => !test(item));
  return end === -1 ? items : items.slice(0, end);
}
