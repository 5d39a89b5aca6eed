import { isWholeNumber } from '../lib/json/exact-number.ts';
import { isContainer } from '../lib/json/is-container.ts';
import { parseJson } from '../lib/json/parse-json.ts';
import type { FieldMapping, FieldTarget } from './field-mapping.ts';
import { type Fields, isFields, putInto } from './fields.ts';
import {
  isScript,
  isUser,
  readActions,
  readCalls,
  readCell,
  readDocuments,
  readScript,
  readTools,
} from './read-fields.ts';
import { type Holder, type Origin, type Path, traceOrigins } from './trace-origins.ts';

/** The fields of a row, mapped to our spelling. */
export interface MappedFields {
  readonly value: Fields;
  readonly unknownFields: readonly string[];
  /** The origins of the fields; empty unless requested. */
  readonly origins: readonly Origin[];
}

interface MapOptions {
  readonly mapping: FieldMapping;
  readonly hasTextCells: boolean;
  readonly isTraced?: boolean;
}

/** Maps every field of a row to a field of a case; unknown fields and synonyms go to metadata. */
export function mapFields(row: Fields, options: MapOptions): MappedFields {
  const mapper = new FieldMapper(options);
  for (const name of Object.keys(row)) {
    if (row[name] !== null && row[name] !== undefined) mapper.add(name, row[name]);
  }
  return mapper.finish();
}

const none: readonly never[] = [];

class FieldMapper {
  readonly #options: MapOptions;
  readonly #value: Fields = {};
  readonly #holders: Record<string, Holder> = {};
  #kept: { to: Path; from: Path; raw: unknown }[] | undefined;
  #unknown: string[] | undefined;
  #origins: Origin[] | undefined;

  constructor(options: MapOptions) {
    this.#options = options;
  }

  add(name: string, raw: unknown): void {
    const target = this.#options.mapping.targetOf(name);
    if (target === false) return;
    if (target === undefined && name.startsWith('metadata.'))
      this.#keep(name.split('.').slice(1), [name], raw);
    else if (target === undefined) this.#addUnknown([name], raw);
    else if (target === null) this.#keep([name], [name], raw);
    else if (target.field === 'expected') this.#addExpected(name, this.#read(raw, target));
    else if (target.field === 'user' || target.field === 'user.script') this.#addUser(target, name, raw);
    else this.#set(target, [name], raw);
  }

  /** Adds the parts of `expected`; any value other than an object is the expected answer itself. */
  #addExpected(name: string, raw: unknown): void {
    if (!isFields(raw)) {
      const answer = this.#options.mapping.partOf('answer') as FieldTarget;
      return this.#set({ ...answer, rank: Number.POSITIVE_INFINITY }, [name], raw);
    }
    for (const key of Object.keys(raw)) {
      const part = raw[key];
      if (part === null || part === undefined) continue;
      const target = this.#options.mapping.partOf(key);
      if (target === undefined) this.#addUnknown([name, key], part);
      else this.#set(target, [name, key], part);
    }
  }

  /** Adds the user of the conversation; any other value under these names is metadata. */
  #addUser(target: FieldTarget, name: string, raw: unknown): void {
    const value = this.#read(raw, target);
    if (target.field === 'user' ? isUser(value) : isScript(value)) this.#set(target, [name], raw);
    else this.#addUnknown([name], raw);
  }

  #set(target: FieldTarget, from: Path, raw: unknown): void {
    const holder = this.#holders[target.field];
    if (holder !== undefined && holder.rank <= target.rank) return this.#addUnknown(from, raw);
    if (holder !== undefined) this.#addUnknown(holder.from, holder.raw);
    this.#holders[target.field] = { rank: target.rank, from, raw };
    const value = target.field === 'input' ? this.#readInput(raw, target, from) : this.#read(raw, target);
    if (target.field === 'user' || target.field === 'user.script') this.#setUser(target, value);
    else if (target.part === undefined) this.#value[target.field] = value;
    else ((this.#value['expected'] ??= {}) as Fields)[target.part] = value;
  }

  /** Adds a script, which may be inside the user or beside it; the one beside it wins. */
  #setUser({ field }: FieldTarget, value: unknown): void {
    const isWhole = field === 'user';
    const user = (isWhole ? value : (this.#value['user'] ?? {})) as Fields;
    const beside = isWhole ? ((this.#value['user'] ?? {}) as Fields)['script'] : value;
    const { script: inside } = user;
    if (inside !== undefined && beside !== undefined) this.#addUnknown(['user', 'script'], inside);
    const script = beside ?? inside;
    const turns = Array.isArray(script) ? readScript(script) : script;
    this.#value['user'] = turns === undefined ? user : { ...user, script: turns };
  }

  #read(raw: unknown, { cell }: FieldTarget): unknown {
    const value = typeof raw === 'string' && this.#options.hasTextCells ? readCell(raw, cell) : raw;
    if (cell === 'documents') return readDocuments(value);
    if (cell === 'tools') return readTools(value);
    if (cell === 'calls') return readCalls(value);
    if (cell === 'actions') return readActions(value);
    return cell === 'text' && isWholeNumber(value) ? String(value) : value;
  }

  #readInput(raw: unknown, target: FieldTarget, from: Path): unknown {
    const read = this.#read(raw, target);
    if (!Array.isArray(read)) return read;
    // Sets of function calls have a list of turns, of which most are one list of messages.
    const input: unknown[] = read.length === 1 && Array.isArray(read[0]) ? read[0] : read;
    const { messages, others } = readMessages(input);
    if (others.length > 0) this.#keep(from, from, input);
    for (const other of others) this.#report(`${from.join('.')}.${other}`);
    return messages;
  }

  #addUnknown(from: Path, raw: unknown): void {
    this.#keep(from, from, raw);
    this.#report(from.join('.'));
  }

  #report(name: string): void {
    this.#unknown ??= [];
    this.#unknown.push(name);
  }

  #keep(to: Path, from: Path, raw: unknown): void {
    this.#kept ??= [];
    this.#kept.push({ to, from, raw });
  }

  finish(): MappedFields {
    const value = this.#value;
    const { added } = placeOpening(value);
    if (this.#options.isTraced) this.#origins = traceOrigins(this.#holders, value, added);
    const metadata = value['metadata'] ?? {};
    if (this.#kept !== undefined && isFields(metadata)) {
      value['metadata'] = { ...metadata };
      for (const { to, from, raw } of this.#kept) {
        const put = putInto(value['metadata'] as Fields, to, raw);
        this.#origins?.push({ to: ['metadata', ...put], from });
      }
    }
    return { value, unknownFields: this.#unknown ?? none, origins: this.#origins ?? none };
  }
}

/** The result of moving the first words of the user into the input of a case. */
interface PlacedOpening {
  /** The number of turns that were put before those of the script. */
  readonly added: number;
}

/**
 * Normalizes a case of several turns: its input ends with the user's first words, and a script has them as its first
 * turn. A user with a goal and no question finds their own first words; the goal then stands for the question.
 */
function placeOpening(value: Fields): PlacedOpening {
  const { user } = value;
  if (!isFields(user)) return { added: 0 };
  if (Array.isArray(user['script'])) return placeScript(value, user, user['script']);
  const { input = user['goal'] } = value;
  const isOpen = value['input'] === undefined || (Array.isArray(input) && lastOf(input).role !== 'user');
  value['input'] = input;
  if (isOpen) value['user'] = { opens: true, ...user };
  return { added: 0 };
}

function placeScript(value: Fields, user: Fields, script: readonly unknown[]): PlacedOpening {
  const { input } = value;
  const first = isFields(script[0]) ? script[0]['say'] : undefined;
  if (input === undefined) value['input'] = first;
  const last = Array.isArray(input) ? lastOf(input) : { role: 'user', content: input };
  if (input === undefined || last.content === first) return { added: 0 };
  if (last.role === 'user') {
    value['user'] = { ...user, script: [{ say: last.content }, ...script] };
    return { added: 1 };
  }
  value['input'] = [...(input as unknown[]), { role: 'user', content: first }];
  return { added: 0 };
}

function lastOf(messages: readonly unknown[]): { readonly role?: unknown; readonly content?: unknown } {
  const last = messages.at(-1);
  return isFields(last) ? last : {};
}

const knownInMessages = new Set([
  'role',
  'content',
  'toolCalls',
  'toolCallId',
  'name',
  'tool_calls',
  'tool_call_id',
]);

/**
 * Converts the messages of chat APIs to our spelling: `tool_calls`, `tool_call_id`, the role `developer`, content in
 * text parts. `others` are the names of fields for which our messages have no place.
 */
function readMessages(list: readonly unknown[]): { messages: unknown[]; others: string[] } {
  const others = new Set<string>();
  const messages = list.map((item) => {
    if (!isContainer(item) || Array.isArray(item)) return item;
    for (const name of Object.keys(item)) if (!knownInMessages.has(name)) others.add(name);
    return readMessage(item as Fields);
  });
  return { messages, others: [...others] };
}

function readMessage({ tool_calls: calls, tool_call_id: callId, ...message }: Fields): Fields {
  const content = readContent(message['content']);
  const role = message['role'] === 'developer' ? 'system' : message['role'];
  const read: Fields = { ...message, role, content: content === undefined && calls ? null : content };
  if (Array.isArray(calls)) read['toolCalls'] ??= calls.map(readToolCall);
  if (callId !== undefined && callId !== null) read['toolCallId'] ??= callId;
  return read;
}

function readContent(content: unknown): unknown {
  if (
    !Array.isArray(content) ||
    !content.every((part) => part?.type === 'text' && typeof part.text === 'string')
  ) {
    return content;
  }
  return content.map((part) => part.text).join('\n');
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
  try {
    return parseJson(text);
  } catch {
    return text;
  }
}
