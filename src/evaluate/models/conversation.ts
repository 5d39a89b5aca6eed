import { piecesOf } from '../../core/attachments/openai-parts.ts';
import { isContainer } from '../../core/lib/json/is-container.ts';
import { tryParseJson } from '../../core/lib/json/parse-json.ts';
import type { Json } from '../../core/schema/json.ts';
import type { ToolCall } from '../../core/schema/message.ts';
import type { ChatMessage, ChatRequest, RequestedToolCall } from './model.ts';
import type { SentPieces } from './sent-files.ts';

/** The result of a tool call. */
export interface ToolResult {
  readonly id: string;
  readonly name: string;
  readonly content: string;
  readonly isError: boolean;
}

/**
 * One turn of a conversation in the form that providers want: every tool call has an id, and is followed by its result.
 */
export type Turn =
  | {
      readonly role: 'user';
      readonly text: string;
      /** Present when the message has pictures or other files. */
      readonly pieces?: SentPieces;
    }
  | {
      readonly role: 'assistant';
      readonly text: string | null;
      /** Present when the message has pictures or other files, which few APIs take here. */
      readonly pieces?: SentPieces;
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
 * Brings messages into the complete and ordered form that every provider accepts. Results that a dataset keeps with the
 * call become separate results.
 */
export function toTurns({ messages, files }: Pick<ChatRequest, 'messages' | 'files'>): Conversation {
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content ?? '');
  const turns: Turn[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role === 'user') turns.push(toUserTurn(message, files));
    if (message.role === 'assistant') addAssistant({ message, files }, messages.slice(index + 1), turns);
  }
  return { system: system.length === 0 ? undefined : system.join('\n\n'), turns };
}

function toUserTurn(message: ChatMessage, files: ChatRequest['files']): Turn {
  return { role: 'user', text: message.content ?? '', ...filesIn(message, files) };
}

function filesIn(message: ChatMessage, files: ChatRequest['files'] = new Map()) {
  return message.attachments !== undefined && { pieces: piecesOf(message, files) };
}

function addAssistant(
  { message, files }: { readonly message: ChatMessage; readonly files: ChatRequest['files'] },
  later: readonly ChatMessage[],
  turns: Turn[],
): void {
  const calls = (message.toolCalls ?? []).map((call, index) => ({
    ...call,
    id: call.id ?? `call_${turns.length}_${index}`,
  }));
  turns.push({
    role: 'assistant',
    text: message.content,
    ...filesIn(message, files),
    toolCalls: calls.map(({ id, name, arguments: args }) => ({ id, name, arguments: args ?? {} })),
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

/** A text, split into the answer and the model's reasoning. */
interface SplitText {
  readonly text: string;
  /** The reasoning; undefined when the text has none. */
  readonly reasoning: string | undefined;
}

const opening = /^\s*<(think|thinking|thought|reasoning)>/i;

/**
 * Splits `<think>…</think>` and similar blocks off the beginning of a text: several blocks in a row, nested blocks, and
 * an unclosed block, which is then the whole text. Templates that open the block inside the prompt leave a lone
 * `</think>`; the text before it is reasoning too. Later tags belong to the answer.
 */
export function splitThinking(text: string): SplitText {
  const thoughts: string[] = [];
  let rest = withoutPromptedThought(text, thoughts);
  for (;;) {
    const [tag, name] = opening.exec(rest) ?? [];
    if (tag === undefined || name === undefined) break;
    const { thought, after } = takeBlock(rest.slice(tag.length), name);
    thoughts.push(thought);
    rest = after;
  }
  if (thoughts.length === 0) return { text, reasoning: undefined };
  const reasoning = thoughts.map((thought) => thought.trim()).filter((thought) => thought !== '');
  return { text: rest.trimStart(), reasoning: reasoning.join('\n\n') };
}

function withoutPromptedThought(text: string, thoughts: string[]): string {
  const [before = '', ...after] = text.split(/<\/think>/i);
  if (after.length === 0 || /<think>/i.test(before)) return text;
  thoughts.push(before);
  return text.slice(before.length + '</think>'.length);
}

/** Returns the content of a block whose opening tag has been read, and the text after it. */
function takeBlock(text: string, name: string): { thought: string; after: string } {
  let depth = 1;
  for (const match of text.matchAll(new RegExp(`<(/?)${name}>`, 'gi'))) {
    depth += match[1] === '/' ? -1 : 1;
    if (depth > 0) continue;
    return { thought: text.slice(0, match.index), after: text.slice(match.index + match[0].length) };
  }
  // When the block is opened twice and closed once, the first closing tag is the best guess.
  const closing = new RegExp(`</${name}>`, 'i').exec(text);
  if (closing === null) return { thought: text, after: '' };
  return { thought: text.slice(0, closing.index), after: text.slice(closing.index + closing[0].length) };
}

/**
 * Reads a tool call whose arguments are a text of JSON. An empty text means no arguments. A text that is not a JSON
 * object stays unchanged and marked, not guessed at.
 */
export function readToolCall(id: string, name: string, written: string): RequestedToolCall {
  if (written.trim() === '') return { id, name, arguments: {} };
  const value = tryParseJson(written);
  const isObject = isContainer(value) && !Array.isArray(value);
  return isObject ? { id, name, arguments: value } : { id, name, unreadableArguments: written };
}
