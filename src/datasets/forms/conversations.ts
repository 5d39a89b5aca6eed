import { type Fields, isFields } from '../fields.ts';

const roles: ReadonlyMap<string, string> = new Map([
  ['human', 'user'],
  ['user', 'user'],
  ['customer', 'user'],
  ['gpt', 'assistant'],
  ['chatgpt', 'assistant'],
  ['bot', 'assistant'],
  ['ai', 'assistant'],
  ['model', 'assistant'],
  ['assistant', 'assistant'],
  ['system', 'system'],
  ['tool', 'tool'],
]);

/**
 * Returns the messages of a conversation in the form of ShareGPT, `{ from: human, value }`, or with other names for the
 * speaker; undefined for anything else.
 */
export function readShared(value: unknown): Fields[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  const messages = value.map((item) => {
    if (!isFields(item)) return undefined;
    const role = roles.get(
      String(item['role'] ?? item['from'] ?? item['speaker'] ?? item['type']).toLowerCase(),
    );
    const content = item['content'] ?? item['value'] ?? item['text'] ?? item['message'];
    if (role === undefined || typeof content !== 'string') return undefined;
    const { from: _f, speaker: _s, type: _t, value: _v, text: _x, message: _m, ...rest } = item;
    return { ...rest, role, content };
  });
  return messages.every((message) => message !== undefined) ? messages : undefined;
}

/** The end of a conversation that the assistant has: what it said after the last words of the user. */
export interface AssistantEnd {
  /** The conversation up to the last words of the user. */
  readonly asked: readonly unknown[];
  /** The last words of the assistant; undefined when it only used tools. */
  readonly answer: string | undefined;
  /** The tools that it used on the way there. */
  readonly tools: readonly Fields[];
}

/**
 * Separates what the assistant said after the last words of the user, which is the reference answer of a file for
 * fine-tuning and is not to be sent. Undefined for a conversation that ends with the user or contains no user.
 */
export function takeAssistantEnd(messages: readonly unknown[]): AssistantEnd | undefined {
  const lastUser = messages.findLastIndex((message) => isFields(message) && message['role'] === 'user');
  const end = messages.slice(lastUser + 1).filter(isFields);
  const said = end.filter(({ role }) => role === 'assistant');
  if (lastUser < 0 || said.length === 0) return undefined;
  const answers = said
    .map(({ content }) => content)
    .filter((text) => typeof text === 'string' && text.trim() !== '');
  return {
    asked: messages.slice(0, lastUser + 1),
    answer: answers.at(-1) as string | undefined,
    tools: said.flatMap(({ toolCalls }) => (Array.isArray(toolCalls) ? toolCalls.filter(isFields) : [])),
  };
}
