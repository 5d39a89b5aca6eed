import { isWholeNumber } from '../../core/lib/json/exact-number.ts';
import type { FieldMapping, FieldTarget } from './field-mapping.ts';
import { type Fields, isFields, putInto } from './fields.ts';
import { readMessages } from './forms/chat-messages.ts';
import { readShared, takeAssistantEnd } from './forms/public-sets.ts';
import { placeOpening } from './forms/place-opening.ts';
import { isWithoutReference, readAnswer } from './forms/read-answers.ts';
import { readExpectedNumbers, toWeight } from './forms/read-numbers.ts';
import { isScript, isUser, readScript } from './forms/script.ts';
import {
  isKeptBeside,
  parseQuestion,
  cellKinds,
  describesTools,
  isMissing,
  readActions,
  readCalls,
  readCell,
  readDocuments,
  readItems,
  readTools,
} from './read-fields.ts';
import { type Holder, type Origin, type Path, traceOrigins } from './trace-origins.ts';

/** The fields of a row, mapped to our spelling. */
export interface MappedFields {
  readonly value: Fields;
  readonly unknownFields: readonly string[];
  /** The unknown fields among them that are an expectation of a form that nothing reads. */
  readonly unread: readonly string[];
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
  #unread: string[] | undefined;
  #isNoLog = true;
  #weak: { target: FieldTarget; from: Path; raw: unknown }[] | undefined;
  #origins: Origin[] | undefined;

  constructor(options: MapOptions) {
    this.#options = options;
  }

  add(name: string, raw: unknown): void {
    const { mapping, hasTextCells } = this.#options;
    if (mapping.isOfLog(name)) this.#isNoLog = false;
    const target = mapping.targetOf(name);
    if (target === false || (target && hasTextCells && isMissing(raw, target.cell))) return;
    if (target === undefined && name.startsWith('metadata.'))
      this.#keep(name.split('.').slice(1), [name], raw);
    else if (target === undefined) this.#addUnknown([name], raw);
    else if (target === null || isWithoutReference(target, raw)) this.#keep([name], [name], raw);
    else this.#addKnown(target, name, raw);
  }

  #addKnown(target: FieldTarget, name: string, raw: unknown): void {
    const { field, cell } = target;
    if (field === 'expected') this.#addExpected(name, this.#read(raw, target));
    else if (target.isWeak) this.#weak = [...(this.#weak ?? []), { target, from: [name], raw }];
    else if (cell === 'choices') this.#addChoices(target, name, raw);
    else if (field === 'input' && isFields(parseQuestion(raw, this.#options)))
      this.#addInputs(target, name, parseQuestion(raw, this.#options) as Fields);
    else if (cell === 'description') this.#addDescription(target, [name], raw);
    else if (field === 'user' || field === 'user.script') this.#addUser(target, name, raw);
    else if (isKeptBeside(target, raw, () => this.#read(raw, target))) this.#keep([name], [name], raw);
    else this.#set(target, [name], cell === 'weight' ? toWeight(raw) : raw);
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
      else if (target.cell === 'description') this.#addDescription(target, [name, key], part);
      else this.#set(target, [name, key], part);
    }
  }

  /** Adds choices that were read before; any other value under these names is metadata. */
  #addChoices(target: FieldTarget, name: string, raw: unknown): void {
    const isRead =
      Array.isArray(raw) && raw.length > 0 && raw.every((each) => isFields(each) && each['label']);
    if (isRead) this.#set(target, [name], raw);
    else this.#addUnknown([name], raw);
  }

  /**
   * Adds the question inside an object such as `{ input: { question: … } }`: under a usual name for it, or as its only text.
   * A background next to it is the context; everything else is metadata.
   */
  #addInputs(target: FieldTarget, name: string, raw: Fields): void {
    const names = Object.keys(raw).filter((key) => raw[key] !== null && raw[key] !== undefined);
    const fieldOf = (key: string) => this.#options.mapping.fieldOf(key);
    const texts = names.filter((key) => typeof raw[key] === 'string');
    const asked =
      names.find((key) => fieldOf(key) === 'input') ?? (texts.length === 1 ? texts[0] : undefined);
    if (asked === undefined) return this.#set(target, [name], raw);
    this.#set(target, [name, asked], raw[asked]);
    for (const key of names) {
      const inner = this.#options.mapping.targetOf(key);
      if (key === asked) continue;
      if (inner && inner.field === 'context') this.#set(inner, [name, key], raw[key]);
      else this.#addUnknown([name, key], raw[key]);
    }
  }

  /** Adds what is an expected answer only where a row expects nothing else. */
  #addWeak(): void {
    const isAlone = this.#value['expected'] === undefined && this.#isNoLog;
    for (const { target, from, raw } of this.#weak ?? []) {
      if (isAlone) this.#set(target, from, raw);
      else this.#addUnknown(from, raw);
    }
  }

  /**
   * Takes off what the assistant says after the last words of the user, as in files for fine-tuning: it is the reference answer
   * where none is given, and is never sent.
   */
  #takeAssistantEnd(): void {
    const { input, user } = this.#value;
    const holder = this.#holders['input'];
    const end = Array.isArray(input) && user === undefined ? takeAssistantEnd(input) : undefined;
    if (end === undefined || holder === undefined) return;
    this.#value['input'] = end.asked;
    this.#keep(holder.from, holder.from, holder.raw);
    const expected = (this.#value['expected'] ?? {}) as Fields;
    if (end.answer !== undefined) expected['answer'] ??= end.answer;
    const tools = end.tools.map(({ name, arguments: args }) => ({
      name,
      ...(args !== undefined && { arguments: args }),
    }));
    if (tools.length > 0 && expected['calls'] === undefined) expected['tools'] ??= tools;
    this.#value['expected'] = expected;
  }

  /** Adds the user of the conversation; any other value under these names is metadata. */
  #addUser(target: FieldTarget, name: string, raw: unknown): void {
    const value = this.#read(raw, target);
    if (target.field === 'user' ? isUser(value) : isScript(value)) this.#set(target, [name], raw);
    else this.#addUnknown([name], raw);
  }

  /**
   * Adds a description of what should happen: one text or several. An object with expectations under other names holds
   * these; anything else is an expectation that nothing reads.
   */
  #addDescription(target: FieldTarget, from: Path, raw: unknown): void {
    const value = this.#read(raw, target);
    const texts = [value].flat();
    const isText = texts.length > 0 && texts.every((text) => typeof text === 'string' && text.trim() !== '');
    const [name = '', ...inner] = from;
    if (isText) this.#join(target, from, value);
    else if (isFields(value) && inner.length === 0 && this.#holdsParts(value)) this.#addExpected(name, value);
    else {
      this.#addUnknown(from, raw);
      if (texts.some((text) => text !== '')) this.#unread = [...(this.#unread ?? []), from.join('.')];
    }
  }

  #holdsParts(value: Fields): boolean {
    return Object.keys(value).some((key) => this.#options.mapping.partOf(key) !== undefined);
  }

  /** Sets a field of which a row may state several parts under different names: all of them count. */
  #join(target: FieldTarget, from: Path, value: unknown): void {
    const { [target.part ?? '']: there } = (this.#value['expected'] ?? {}) as Fields;
    if (there === undefined) return this.#set(target, from, value);
    ((this.#value['expected'] ??= {}) as Fields)[target.part ?? ''] = [there, value].flat();
  }

  #set(target: FieldTarget, from: Path, raw: unknown): void {
    const holder = this.#holders[target.field];
    if (holder !== undefined && holder.rank <= target.rank) return this.#addUnknown(from, raw);
    if (holder !== undefined) this.#addUnknown(holder.from, holder.raw);
    this.#holders[target.field] = { rank: target.rank, from, raw };
    if (target.cell === 'tools' && describesTools(raw)) this.#keep(from, from, raw);
    const value = target.field === 'input' ? this.#readInput(raw, target, from) : this.#read(raw, target);
    if (target.field === 'user' || target.field === 'user.script') this.#setUser(target, value, from);
    else if (target.part === undefined) this.#value[target.field] = value;
    else ((this.#value['expected'] ??= {}) as Fields)[target.part] = value;
  }

  /** Adds a script, which may be inside the user or next to it; the one next to it wins. */
  #setUser({ field }: FieldTarget, value: unknown, from: Path): void {
    const isWhole = field === 'user';
    const user = (isWhole ? value : (this.#value['user'] ?? {})) as Fields;
    const beside = isWhole ? ((this.#value['user'] ?? {}) as Fields)['script'] : value;
    const { script: inside } = user;
    if (inside !== undefined && beside !== undefined) this.#addUnknown(['user', 'script'], inside);
    const script = beside ?? inside;
    const read = Array.isArray(script) ? this.#readScript(script, from) : script;
    this.#value['user'] = read === undefined ? user : { ...user, script: read };
  }

  #readScript(script: readonly unknown[], from: Path): readonly unknown[] {
    const { mapping } = this.#options;
    const { turns, unknown } = readScript(script, {
      mapping,
      read: (raw, target) => this.#read(raw, target),
    });
    if (unknown.size > 0) this.#keep(from, from, script);
    for (const name of unknown) this.#report([...from, name].join('.'));
    return turns;
  }

  #read(raw: unknown, { cell }: FieldTarget): unknown {
    const isCell = typeof raw === 'string' && (this.#options.hasTextCells || cellKinds.has(cell));
    const value = isCell ? readCell(raw, cell) : raw;
    if (cell === 'documents') return readDocuments(value);
    if (cell === 'tools') return readTools(value);
    if (cell === 'calls') return readCalls(value);
    if (cell === 'actions') return readActions(value);
    if (cell === 'list') return readItems(value);
    if (cell === 'numbers') return readExpectedNumbers(value);
    if (cell === 'answer' || cell === 'answers') return readAnswer(value);
    return cell === 'text' && isWholeNumber(value) ? String(value) : value;
  }

  #readInput(raw: unknown, target: FieldTarget, from: Path): unknown {
    const read = this.#read(raw, target);
    if (!Array.isArray(read)) return read;
    // Sets of function calls have a list of turns, of which most are one list of messages.
    const list: unknown[] = read.length === 1 && Array.isArray(read[0]) ? read[0] : read;
    const isShared = list.some((item) => isFields(item) && item['role'] === undefined);
    const input = (isShared ? readShared(list) : undefined) ?? list;
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
    this.#takeAssistantEnd();
    this.#addWeak();
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
    return {
      value,
      unknownFields: this.#unknown ?? none,
      unread: this.#unread ?? none,
      origins: this.#origins ?? none,
    };
  }
}
