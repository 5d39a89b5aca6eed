import { ContentBuilder } from '../../../core/attachments/split-content.ts';
import {
  type AttachmentSource,
  readAttachmentEntry,
  readAttachmentPart,
} from '../../../core/attachments/read-source.ts';
import { isContainer } from '../../../core/lib/json/is-container.ts';
import { tryParseJson } from '../../../core/lib/json/parse-json.ts';
import type { Fields } from '../fields.ts';

const knownInMessages = new Set([
  'role',
  'content',
  'toolCalls',
  'toolCallId',
  'name',
  'tool_calls',
  'tool_call_id',
  'parts',
  'attachments',
]);

/** A picture or another file of a message that is still to be read. */
export class AttachmentDraft {
  readonly source: AttachmentSource;
  /** The place of its part in the message. */
  readonly from: readonly (string | number)[];
  /** Its place in the content. */
  at = 0;

  constructor(source: AttachmentSource, from: AttachmentDraft['from']) {
    this.source = source;
    this.from = from;
  }
}

/** The files that a row lists besides a text; undefined for a value that is no such list. */
export function readFileList(listed: unknown): AttachmentDraft[] | undefined {
  const entries = [listed].flat();
  const files = entries.map((entry, index) => {
    const source = readAttachmentEntry(entry);
    return source && new AttachmentDraft(source, ['attachments', index]);
  });
  return entries.length === 0 || files.includes(undefined) ? undefined : (files as AttachmentDraft[]);
}

/**
 * Converts the messages of chat APIs to our spelling: `tool_calls`, `tool_call_id`, the role `developer`, content in
 * parts: texts, and pictures or other files, which become the `attachments` of their message. `others` are the names of fields for which our messages have no place.
 */
export function readMessages(list: readonly unknown[]): { messages: unknown[]; others: string[] } {
  const others = new Set<string>();
  const messages = list.map((item) => {
    if (!isContainer(item) || Array.isArray(item)) return item;
    for (const name of Object.keys(item)) if (!knownInMessages.has(name)) others.add(name);
    return readMessage(item as Fields);
  });
  return { messages, others: [...others] };
}

const roles: ReadonlyMap<unknown, string> = new Map([
  ['developer', 'system'],
  ['model', 'assistant'],
]);

function readMessage({ tool_calls: calls, tool_call_id: callId, parts, ...message }: Fields): Fields {
  const name = message['content'] === undefined && parts !== undefined ? 'parts' : 'content';
  const { content, attachments } = readContent(name === 'parts' ? parts : message['content'], name);
  const role = roles.get(message['role']) ?? message['role'];
  const read: Fields = { ...message, role, content: content === undefined && calls ? null : content };
  const files = [...(attachments ?? []), ...readListed(message['attachments'], content)];
  if (files.length > 0) read['attachments'] = files;
  if (Array.isArray(calls)) read['toolCalls'] ??= calls.map(readToolCall);
  if (callId !== undefined && callId !== null) read['toolCallId'] ??= callId;
  return read;
}

/** Reads the files that a message lists besides its content, after which they stand unless they say where. */
function readListed(listed: unknown, content: unknown): AttachmentDraft[] {
  const files = readFileList(listed ?? []) ?? [];
  const length = typeof content === 'string' ? content.length : 0;
  for (const [index, file] of files.entries()) {
    const { at } = Object([listed].flat()[index]) as { readonly at?: unknown };
    file.at = Number.isInteger(at) && (at as number) >= 0 ? Math.min(at as number, length) : length;
  }
  return files;
}

/** Reads content in parts; anything else, and parts of other kinds, are left for the schema to refuse. */
function readContent(
  content: unknown,
  name: string,
): { readonly content: unknown; readonly attachments?: AttachmentDraft[] } {
  if (!Array.isArray(content)) return { content };
  const builder = new ContentBuilder<AttachmentDraft>();
  for (const [index, part] of content.entries()) {
    const text = textOf(part);
    const source = text === undefined ? readAttachmentPart(part) : undefined;
    if (text !== undefined) builder.addText(text, '\n');
    else if (source !== undefined) builder.addFile(new AttachmentDraft(source, [name, index]));
    else return { content };
  }
  const { files } = builder;
  return { content: builder.content, ...(files.length > 0 && { attachments: files }) };
}

function textOf(part: unknown): string | undefined {
  if (!isContainer(part) || Array.isArray(part)) return undefined;
  const { type, text } = part as Fields;
  const isText = type === undefined || type === 'text' || type === 'input_text' || type === 'output_text';
  return isText && typeof text === 'string' ? text : undefined;
}

function readToolCall(call: unknown): unknown {
  const { id, function: used } = (call ?? {}) as {
    id?: unknown;
    function?: { name?: unknown; arguments?: unknown };
  };
  if (!isContainer(used)) return call;
  return { id, name: used.name, arguments: readArguments(used.arguments) };
}

function readArguments(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  return tryParseJson(text, text);
}
