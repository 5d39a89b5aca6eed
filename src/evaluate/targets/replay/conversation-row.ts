import type { Message } from '../../../core/schema/message.ts';
import { roleOf } from '../reply/message-roles.ts';
import { type Fields, isFields } from '../reply/part.ts';
import { readMessages, unwrapMessage } from '../reply/read-messages.ts';
import { unpack } from './traces/attribute-values.ts';
import { lastOf } from './traces/threads.ts';

/** Columns that contain whole conversations, after those that the aliases name. */
const conversationColumns = [
  'transcript',
  'messages',
  'conversation',
  'trajectory',
  'traj',
  'dialogue',
  'dialog',
];

/** Returns whether a value is a list of messages, in any dialect. */
export function isConversation(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0 && value.every(isMessage);
}

/** Returns whether a value is one message. */
export function isMessage(value: unknown): boolean {
  const message = unwrapMessage(value);
  if (!isFields(message)) return false;
  const { role, type } = message;
  if (roleOf(role) !== undefined) return true;
  return (
    typeof type === 'string' && (roleOf(type) !== undefined || /(_call|_call_output|^reasoning)$/.test(type))
  );
}

/** A row with its conversation under the name `transcript`, and the question next to it. */
export interface ConversationRow {
  readonly value: Fields;
  /** True when the question was taken from the conversation, and is therefore a part of the recorded answer. */
  readonly isQuestionDerived: boolean;
}

/** The columns that contain transcripts, answers and questions. */
export interface ConversationColumns {
  readonly transcripts: readonly string[];
  readonly answers: readonly string[];
  readonly questions: readonly string[];
}

/**
 * Finds the conversation in a row and the question in the conversation, which is the first message of the user.
 * Undefined for a row without a conversation, and for one whose messages are only the question. Throws `TargetFailure`
 * for messages that cannot be read.
 */
export function readConversationRow(row: Fields, known: ConversationColumns): ConversationRow | undefined {
  const columns = [...known.transcripts, ...conversationColumns];
  const column = columns.find((name) => isConversation(unpack(row[name])));
  if (column === undefined) return undefined;
  const list = unpack(row[column]) as readonly unknown[];
  const isAnswered = known.answers.some((name) => row[name] !== undefined && row[name] !== null);
  const isAsked = known.questions.some(
    (name) => name !== column && row[name] !== undefined && row[name] !== null,
  );
  if (column === 'messages' && !containsAnswer(list, { isAnswered, isAsked })) return undefined;
  const { [column]: _moved, system, ...others } = row;
  const instructions = system === undefined || system === null ? [] : [{ role: 'system', content: system }];
  const transcript = [...instructions, ...list];
  if (isAsked) return { value: { ...others, transcript }, isQuestionDerived: false };
  const question = firstQuestion(readMessages(transcript, column));
  return {
    value: { ...others, ...(question !== undefined && { question }), transcript },
    isQuestionDerived: true,
  };
}

/**
 * Returns whether messages contain the recorded answer. Beside an answer column, messages are usually the question with
 * its history. They are the conversation that led to the answer when they end with the assistant, when the question has
 * a column of its own, or when tools were called in them.
 */
function containsAnswer(
  list: readonly unknown[],
  { isAnswered, isAsked }: { readonly isAnswered: boolean; readonly isAsked: boolean },
): boolean {
  const messages = list.map(unwrapMessage);
  const roles = messages.map((message) =>
    isFields(message) ? (roleOf(message['role'] ?? message['type']) ?? 'assistant') : undefined,
  );
  if (!isAnswered || roles.at(-1) === 'user') {
    return roles.includes('assistant') && (!isAnswered || isAsked || messages.some(callsTools));
  }
  return true;
}

function callsTools(message: unknown): boolean {
  if (!isFields(message)) return false;
  const calls = message['tool_calls'] ?? message['toolCalls'];
  return Array.isArray(calls) && calls.length > 0;
}

function firstQuestion(messages: readonly Message[]): string | undefined {
  const first = messages.find(({ role, content }) => role === 'user' && (content ?? '').trim() !== '');
  return first?.content ?? lastOf(messages, 'system');
}

const requests = ['request', 'body', 'kwargs'];
const responses = ['response', 'completion', 'output'];

/**
 * Reads a logged call of a model API, with request and response side by side, as a row with a conversation. Undefined
 * for anything else.
 */
export function readExchangeRow(row: Fields): Fields | undefined {
  const response = responseIn(row);
  const said = response === undefined ? [] : responseMessagesIn(response);
  if (response === undefined || said.length === 0) return undefined;
  const request = requests.map((name) => unpack(row[name])).find(isFields) ?? row;
  const asked = requestMessagesIn(request);
  if (asked === undefined) return undefined;
  const system = request['system'] ?? request['instructions'] ?? request['systemInstruction'];
  const others = Object.entries(row).filter(([name]) => !taken.includes(name));
  const usage = response['usage'];
  return {
    ...Object.fromEntries(others),
    ...(isFields(usage) && { usage }),
    messages: [
      ...(system === undefined || system === null ? [] : [{ role: 'system', content: system }]),
      ...asked,
      ...said,
    ],
  };
}

const taken = [
  ...requests,
  ...responses,
  'choices',
  'messages',
  'system',
  'input',
  'contents',
  'usage',
  'candidates',
];

function responseIn(row: Fields): Fields | undefined {
  const found = responses.map((name) => unpack(row[name])).find(isFields);
  const isResponse = 'choices' in row || 'candidates' in row || isConversation(row['output']);
  const response = found ?? (isResponse ? row : undefined);
  return isFields(response?.['body']) ? response['body'] : response;
}

function requestMessagesIn(request: Fields): readonly unknown[] | undefined {
  const asked = request['messages'] ?? request['contents'] ?? request['input'];
  if (typeof asked === 'string' && asked !== '') return [{ role: 'user', content: asked }];
  return Array.isArray(asked) && asked.length > 0 ? asked : undefined;
}

/** Returns the messages of a response of OpenAI, Anthropic or Google, and the items of OpenAI's Responses interface. */
function responseMessagesIn(response: Fields): readonly unknown[] {
  const first = (list: unknown): Fields => (Array.isArray(list) && isFields(list[0]) ? list[0] : {});
  const message = first(response['choices'])['message'];
  if (isFields(message)) return [message];
  const content = first(response['candidates'])['content'];
  if (isFields(content)) return [content];
  if (Array.isArray(response['output'])) return response['output'];
  return response['role'] === 'assistant' && Array.isArray(response['content']) ? [response] : [];
}
