import type { Message } from '../../../core/schema/message.ts';
import { contentOf, lastAnswer, translateChat } from '../chat-messages.ts';
import { findExpectedAnswer, findQuestion } from '../questions.ts';
import { asArray, asObject, asText, type Fields, jsonObject, textOf } from '../values.ts';
import { numberOf, parseCell } from '../content/rows.ts';

/** A part of a record, found within a value of any shape. */
export interface FoundPart<Value> {
  /** Undefined when the value is empty. */
  readonly value: Value | undefined;
  /** The members of the value that are something else. */
  readonly rest: Fields;
  /** True when the value is of no known shape, and is written out as JSON. */
  readonly isWrittenOut?: boolean;
}

/** Finds the question in an input: a text, a list of messages, or an object with one of them under a known name. */
export function readQuestion(raw: unknown): FoundPart<string | Message[]> {
  const value = typeof raw === 'string' ? parseCell(raw) : raw;
  if (isEmpty(value)) return { value: undefined, rest: {} };
  const messages = messagesOf(value);
  if (messages !== undefined) return { value: messages, rest: {} };
  const fields = asObject(value);
  if (fields === undefined) return { value: textOf(value), rest: {} };
  const name = Array.isArray(fields.messages) ? 'messages' : findQuestion(fields);
  const found = name === undefined ? undefined : fields[name];
  if (name === undefined || isEmpty(found)) return { value: textOf(value), rest: {}, isWrittenOut: true };
  return {
    value: messagesOf(found) ?? (typeof found === 'string' ? found : textOf(found)),
    rest: withoutName(fields, name),
  };
}

/** Finds the expected answer in an output that was stored with a question. */
export function readExpectedAnswer(raw: unknown): FoundPart<string | string[]> {
  const value = typeof raw === 'string' ? parseCell(raw) : raw;
  if (isEmpty(value)) return { value: undefined, rest: {} };
  if (isListOfTexts(value)) return { value, rest: {} };
  const fields = asObject(value);
  const name = fields === undefined ? undefined : findExpectedAnswer(fields);
  const several = name === undefined ? undefined : fields?.[name];
  if (isListOfTexts(several)) return { value: several, rest: withoutName(fields ?? {}, name ?? '') };
  return findAnswer(value, findExpectedAnswer);
}

function isListOfTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => asText(each) !== undefined);
}

/** Names under which a program returns its answer, best first. */
const outputNames = [
  'answer',
  'output',
  'response',
  'content',
  'text',
  'result',
  'completion',
  'message',
  'prediction',
];

/** Finds the answer in the output of a program. */
export function readAnswer(raw: unknown): FoundPart<string> & { readonly toolCalls?: Message['toolCalls'] } {
  const value = typeof raw === 'string' ? parseCell(raw) : raw;
  if (isEmpty(value)) return { value: undefined, rest: {} };
  const calls = callsOf(value);
  const found = findAnswer(value, (fields) => outputNames.find((name) => !isEmpty(fields[name])));
  return { ...found, ...(calls.length > 0 && { toolCalls: calls }) };
}

function findAnswer(value: unknown, find: (fields: Fields) => string | undefined): FoundPart<string> {
  if (isEmpty(value)) return { value: undefined, rest: {} };
  const fields = asObject(value);
  const messages = messagesOf(value) ?? messagesOf(fields?.messages);
  if (messages !== undefined) {
    const rest = fields === undefined ? {} : withoutName(fields, 'messages');
    return { value: lastAnswer(messages) ?? messages.at(-1)?.content ?? '', rest };
  }
  if (fields === undefined) return { value: textOf(value), rest: {} };
  if (asText(fields.role) !== undefined && 'content' in fields) {
    return { value: contentOf(fields.content), rest: {} };
  }
  const name = find(fields) ?? onlyName(fields);
  if (name === undefined) return { value: textOf(value), rest: {}, isWrittenOut: true };
  const inner = asObject(fields[name]) ?? fields[name];
  return { ...findAnswer(inner, find), rest: withoutName(fields, name) };
}

function onlyName(fields: Fields): string | undefined {
  const names = Object.keys(fields).filter((name) => !isEmpty(fields[name]));
  return names.length === 1 ? names[0] : undefined;
}

function callsOf(value: unknown): NonNullable<Message['toolCalls']> {
  const messages = messagesOf(value) ?? messagesOf(asObject(value)?.messages);
  if (messages !== undefined) return messages.flatMap(({ toolCalls = [] }) => toolCalls);
  const fields = asObject(value);
  return Array.isArray(fields?.tool_calls) ? (translateChat([fields])[0]?.toolCalls ?? []) : [];
}

/** Returns a list of messages; undefined for what is none. */
function messagesOf(value: unknown): Message[] | undefined {
  const items = asArray(value);
  const isMessages =
    items.length > 0 &&
    items.every((each) => {
      const message = asObject(each);
      return (asText(message?.role) ?? asText(message?.type)) !== undefined && 'content' in Object(message);
    });
  return isMessages ? translateChat(items) : undefined;
}

/** Returns whether nothing is recorded: neither a value, nor a member that has one. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (typeof value !== 'object') return false;
  return Object.values(value).every((each) => each === undefined || each === null || each === '');
}

function withoutName(fields: Fields, name: string): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([key, value]) => key !== name && !isEmpty(value)));
}

/** Returns the documents in the output of a retriever: texts, or objects under the names that frameworks use. */
export function documentsIn(output: unknown): Fields[] {
  const parsed = typeof output === 'string' ? parseCell(output) : output;
  const list = Array.isArray(parsed) ? parsed : asArray(asObject(parsed)?.documents);
  return list.map((each) => {
    const { pageContent, page_content: snake, text, content, id, metadata, score } = asObject(each) ?? {};
    const said = pageContent ?? snake ?? text ?? content;
    return jsonObject({
      id: asText(id) ?? asText(asObject(metadata)?.id) ?? asText(asObject(metadata)?.source),
      text: said === undefined ? textOf(each) : textOf(said),
      score: numberOf(score),
    });
  });
}

/** Returns the sum of the numbers that are known; undefined when none is. */
export function sumOf(values: readonly (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((total, value) => total + value, 0);
}
