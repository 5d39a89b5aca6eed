import type { FieldMapping, FieldTarget } from './field-mapping.ts';
import { type Fields, isFields, putInto } from './put-into.ts';
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
import { readMessages } from './read-messages.ts';
import { type Holder, type Origin, type Path, traceOrigins } from './trace-origins.ts';

/** The fields of a row in our spelling. */
export interface MappedFields {
  readonly value: Fields;
  readonly unknownFields: readonly string[];
  /** Empty unless asked for. */
  readonly origins: readonly Origin[];
}

interface MapOptions {
  readonly mapping: FieldMapping;
  readonly hasTextCells: boolean;
  readonly isTraced?: boolean;
}

/** Gives every field of a row its meaning; what has none, or means the same as another, goes to metadata. */
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
  #kept: { to: Path; from: Path; given: unknown }[] | undefined;
  #unknown: string[] | undefined;
  #origins: Origin[] | undefined;

  constructor(options: MapOptions) {
    this.#options = options;
  }

  add(name: string, given: unknown): void {
    const target = this.#options.mapping.targetOf(name);
    if (target === false) return;
    if (target === undefined && name.startsWith('metadata.'))
      this.#keep(name.split('.').slice(1), [name], given);
    else if (target === undefined) this.#addUnknown([name], given);
    else if (target === null) this.#keep([name], [name], given);
    else if (target.field === 'expected') this.#addExpected(name, this.#read(given, target));
    else if (target.field === 'user' || target.field === 'user.script') this.#addUser(target, name, given);
    else this.#set(target, [name], given);
  }

  /** The parts of `expected`; anything but an object there is the expected answer itself. */
  #addExpected(name: string, given: unknown): void {
    if (!isFields(given)) {
      const answer = this.#options.mapping.partOf('answer') as FieldTarget;
      return this.#set({ ...answer, rank: Number.POSITIVE_INFINITY }, [name], given);
    }
    for (const key of Object.keys(given)) {
      const part = given[key];
      if (part === null || part === undefined) continue;
      const target = this.#options.mapping.partOf(key);
      if (target === undefined) this.#addUnknown([name, key], part);
      else this.#set(target, [name, key], part);
    }
  }

  /** Who talks to the target; anything else that a file calls by these names is none of ours. */
  #addUser(target: FieldTarget, name: string, given: unknown): void {
    const value = this.#read(given, target);
    if (target.field === 'user' ? isUser(value) : isScript(value)) this.#set(target, [name], given);
    else this.#addUnknown([name], given);
  }

  #set(target: FieldTarget, from: Path, given: unknown): void {
    const holder = this.#holders[target.field];
    if (holder !== undefined && holder.rank <= target.rank) return this.#addUnknown(from, given);
    if (holder !== undefined) this.#addUnknown(holder.from, holder.given);
    this.#holders[target.field] = { rank: target.rank, from, given };
    const value = target.field === 'input' ? this.#readInput(given, target, from) : this.#read(given, target);
    if (target.field === 'user' || target.field === 'user.script') this.#setUser(target, value);
    else if (target.part === undefined) this.#value[target.field] = value;
    else ((this.#value['expected'] ??= {}) as Fields)[target.part] = value;
  }

  /** A script may stand in the user or beside it; where it does both, the one beside it counts. */
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

  #read(given: unknown, { cell }: FieldTarget): unknown {
    const value = typeof given === 'string' && this.#options.hasTextCells ? readCell(given, cell) : given;
    if (cell === 'documents') return readDocuments(value);
    if (cell === 'tools') return readTools(value);
    if (cell === 'calls') return readCalls(value);
    if (cell === 'actions') return readActions(value);
    return cell === 'text' && Number.isSafeInteger(value) ? String(value) : value;
  }

  #readInput(given: unknown, target: FieldTarget, from: Path): unknown {
    const input = this.#read(given, target);
    if (!Array.isArray(input)) return input;
    const { messages, others } = readMessages(input);
    if (others.length > 0) this.#keep(from, from, input);
    for (const other of others) this.#report(`${from.join('.')}.${other}`);
    return messages;
  }

  #addUnknown(from: Path, given: unknown): void {
    this.#keep(from, from, given);
    this.#report(from.join('.'));
  }

  #report(name: string): void {
    this.#unknown ??= [];
    this.#unknown.push(name);
  }

  #keep(to: Path, from: Path, given: unknown): void {
    this.#kept ??= [];
    this.#kept.push({ to, from, given });
  }

  finish(): MappedFields {
    const value = this.#value;
    const { added } = placeOpening(value);
    if (this.#options.isTraced) this.#origins = traceOrigins(this.#holders, value, added);
    const metadata = value['metadata'] ?? {};
    if (this.#kept !== undefined && isFields(metadata)) {
      value['metadata'] = { ...metadata };
      for (const { to, from, given } of this.#kept) {
        const put = putInto(value['metadata'] as Fields, to, given);
        this.#origins?.push({ to: ['metadata', ...put], from });
      }
    }
    return { value, unknownFields: this.#unknown ?? none, origins: this.#origins ?? none };
  }
}

/** What was done to a case so that its input is what is said first. */
interface PlacedOpening {
  /** Turns that were put before those of the script. */
  readonly added: number;
}

/**
 * Brings a case of several turns into one form: its input ends with what the user says first, and a script holds that as
 * its first turn. A user with a goal and no question finds their own first words; the goal then stands for the question.
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
