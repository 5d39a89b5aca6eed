import type { Json } from '../../../core/schema/json.ts';
import type { ToolCall } from '../../../core/schema/message.ts';
import { argumentNames, flagNames, resultNames, strongNames, typeNames } from './call-names.ts';
import { readPart } from './message-parts.ts';
import { findCall, isWaiting } from './message-roles.ts';
import { type Fields, isFields, textIn, type ToolResult } from './part.ts';
import { failedWithoutWords, readError, readJsonText, readOutcome, saysItFailed } from './read-tool-calls.ts';
import { readScalar } from './read-text.ts';
import { toJson } from './to-json.ts';

/** The tool calls found in a part of a reply. */
export interface FoundCalls {
  readonly calls: ToolCall[];
  /** True when the part says which tools were used, even if that is none. */
  readonly isStated: boolean;
}

/** Returns a name without its word separators, so that `tool_calls`, `toolCalls` and `ToolCalls` are one. */
export function plainKey(key: string): string {
  return key.replaceAll(/[_\s-]/g, '').toLowerCase();
}

/** Returns whether a list under this name, as `plainKey` gives it, can only be one of tool calls. */
export function isCallKey(key: string): boolean {
  return callKey.test(key) || key === 'tools';
}

// Lists of calls that are expected or allowed have other words before them, and are none that were made.
const callKey =
  /^(?:(?:my|all|agent|ai|llm|model|bot|assistant|last|actual|executed|raw|invalid)?(?:tool|function|mcp)s?(?:call|use|usage|invocation|execution)s?|(?:tool|function)s(?:used|called|invoked|executed|run)|(?:used|called|invoked|executed)(?:tool|function)s)$/;

const deepest = 12;

/** The most calls that are looked through for the one that a result, or a repetition, belongs to. */
const mostAlike = 100;

/**
 * Collects the tool calls in a part of a reply, in whichever form a framework writes them: a list of calls, pairs of an
 * action and its observation, steps with calls inside, or a journal of events in which some are calls.
 * @param key - The name of the part, as `plainKey` gives it. It decides whether a bare name is a call.
 */
export function collectCalls(value: unknown, key: string): FoundCalls {
  const calls: ToolCall[] = [];
  const byId = new Map<string, ToolCall[]>();
  const found = { isStated: false };
  const add = (call: ToolCall) => {
    found.isStated = true;
    // Frameworks repeat a call: in the content of a step, and in its list of calls.
    const known = call.id === undefined ? undefined : byId.get(call.id);
    const same = known?.find((other) => isSameCall(other, call));
    if (same === undefined) {
      calls.push(call);
      if (call.id !== undefined) byId.set(call.id, [...(known ?? []).slice(-mostAlike), call]);
    } else if (isWaiting(same)) Object.assign(same, call);
  };
  const visit = (part: unknown, name: string, depth: number): void => {
    if (depth > deepest) return;
    const isCalls = isCallKey(name);
    if (isCalls && isNone(part)) found.isStated = true;
    if (typeof part === 'string') {
      if ((isCalls || name === 'actions') && identifier.test(part)) add({ name: part });
    } else if (Array.isArray(part)) visitList(part, name, depth);
    else if (isFields(part)) visitObject(part, name, depth);
  };
  const visitList = (items: readonly unknown[], name: string, depth: number): void => {
    const pair = readPair(items);
    if (pair !== undefined) pair.forEach(add);
    else for (const item of items) visit(item, name, depth + 1);
  };
  const addResult = ({ id, name, outcome }: ToolResult): void => {
    const near = (id === undefined ? undefined : byId.get(id)) ?? calls.slice(-mostAlike);
    const call = findCall(near.filter(isWaiting), { toolCallId: id, name });
    const isKnown = id !== undefined && byId.has(id);
    if (call !== undefined) Object.assign(call, outcome);
    else if (name !== undefined && !isKnown) add({ ...(id !== undefined && { id }), name, ...outcome });
  };
  const visitObject = (fields: Fields, name: string, depth: number): void => {
    if (isSpecification(fields)) return;
    const result = readToolResult(fields, name);
    if (result !== undefined) return addResult(result);
    const own = readCalls(fields, isCallKey(name) || name === 'actions');
    if (own !== undefined) {
      found.isStated = true;
      own.forEach(add);
      return;
    }
    const before = calls.length;
    for (const [inner, member] of Object.entries(fields)) visit(member, plainKey(inner), depth + 1);
    const only = calls.length === before + 1 ? calls.at(-1) : undefined;
    if (only !== undefined && isWaiting(only)) Object.assign(only, outcomeIn(fields));
  };
  visit(value, key, 0);
  return { calls, isStated: found.isStated };
}

function isSameCall(one: ToolCall, other: ToolCall): boolean {
  return (
    one.id === other.id &&
    one.name === other.name &&
    JSON.stringify(one.arguments) === JSON.stringify(other.arguments)
  );
}

const identifier = /^[\p{L}_][\p{L}\p{N}_.:/-]*$/u;

function isNone(value: unknown): boolean {
  return value === null || (Array.isArray(value) && value.length === 0);
}

/** Reads a pair of LangChain's intermediate steps: an action, and what the tool returned. */
function readPair(items: readonly unknown[]): ToolCall[] | undefined {
  const [action, observation] = items;
  if (items.length !== 2 || !isFields(action)) return undefined;
  const calls = readCalls(isFields(action['kwargs']) ? action['kwargs'] : action, false);
  if (calls?.length !== 1 || !isWaiting(calls[0] as ToolCall)) return undefined;
  if (isFields(observation) && collectCalls(observation, '').isStated) return undefined;
  return calls.map((call) => ({ ...call, ...readOutcome(observation) }));
}

/** Returns whether an object describes a tool that could be used, and not a use of it. */
export function isSpecification(value: Fields): boolean {
  const inner = isFields(value['function']) ? value['function'] : value;
  const schema =
    inner['parameters'] ?? inner['input_schema'] ?? inner['inputSchema'] ?? inner['parametersJsonSchema'];
  return isFields(schema) && (isFields(schema['properties']) || schema['type'] === 'object');
}

const resultType = /result|output|response|return|definition|(?:^|[^a-z])end$/i;
const callType = /tool|function.?call|(?:^|_)call$/i;

/** Reads the result of a tool that is separate from its call; undefined for anything else. */
function readToolResult(value: Fields, key: string) {
  const fields = plainFields(value);
  const isApart = /^tool(?:results?|outputs?|responses?)$/.test(key) || key === 'functionresponse';
  const type = typeOf(fields);
  const isResult = isApart || value['role'] === 'tool' || (callType.test(type) && resultType.test(type));
  if (!isResult || 'state' in value) return undefined;
  const name = nameIn(fields, true);
  const id = idIn(fields);
  if (name === undefined && id === undefined) return undefined;
  const inside = new Map([...fields, ...membersIn(fields, ['data'])]);
  const result = firstOf(inside, [...resultNames, 'content']) ?? null;
  return { id, name, outcome: readOutcome(result, fields.get('iserror') === true) };
}

/**
 * Reads the calls that an object is; undefined when it is none.
 * @param isListed - True for an item of a list of calls, where `name` alone names the tool.
 */
function readCalls(value: Fields, isListed: boolean): ToolCall[] | undefined {
  if (isInterfacePart(value))
    return readPart(value, '').flatMap((part) => (part.type === 'call' ? [part.call] : []));
  const fields = plainFields(value);
  const type = typeOf(fields);
  const isTyped = callType.test(type) && !resultType.test(type);
  const name = nameIn(fields, isListed || isTyped);
  if (name === '') return [];
  if (name !== undefined) return toCalls(name, fields);
  if (typeof fields.get('action') === 'string' && fields.has('actioninput')) {
    return toCalls(String(fields.get('action')), fields);
  }
  return hostedType.test(type) ? toCalls(type.slice(0, -'_call'.length), fields) : undefined;
}

/** The types of calls that name a tool of the provider by themselves. */
const hostedType = /^(?:web_search|file_search|computer|code_interpreter|image_generation|local_shell)_call$/;

/** Returns whether an object is a part of a chat interface, whose type names the tool. */
function isInterfacePart(value: Fields): boolean {
  return (
    'state' in value && typeof value['type'] === 'string' && /^(tool-|dynamic-tool$)/.test(value['type'])
  );
}

/** Returns the members by their plain keys; the first of two that are alike counts. */
function plainFields(value: Fields): ReadonlyMap<string, unknown> {
  const fields = new Map<string, unknown>();
  for (const [key, member] of Object.entries(value)) {
    const plain = plainKey(key);
    if (!fields.has(plain)) fields.set(plain, member);
  }
  return fields;
}

function typeOf(fields: ReadonlyMap<string, unknown>): string {
  const found = typeNames.map((name) => fields.get(name)).find((value) => typeof value === 'string');
  return typeof found === 'string' ? found : '';
}

/** Returns the name of a tool; an empty text where a step says that it used none. */
function nameIn(fields: ReadonlyMap<string, unknown>, mayBeBare: boolean): string | undefined {
  for (const key of mayBeBare ? [...strongNames, 'name', 'action'] : strongNames) {
    const value = fields.get(key);
    const named = isFields(value) ? value['name'] : value;
    if (/^tool(?:name)?$/.test(key) && (named === null || noTool.test(String(named)))) return '';
    if (typeof named === 'string' && named !== '') return named.toWellFormed();
  }
  return undefined;
}

/** The words of steps without a tool in the place of its name. */
const noTool = /^(?:none|null|n\/a|)$/i;

function idIn(fields: ReadonlyMap<string, unknown>): string | undefined {
  const id = firstOf(fields, ['tooluseid', 'toolcallid', 'callid', 'id']);
  return textIn(id) ?? readScalar(id);
}

function firstOf(fields: ReadonlyMap<string, unknown>, names: readonly string[]): unknown {
  return names.map((name) => fields.get(name)).find((value) => value !== undefined && value !== null);
}

/** Builds the call of a tool, or the calls of several tools that a step names in one text: `search;lookup`. */
function toCalls(name: string, fields: ReadonlyMap<string, unknown>): ToolCall[] {
  const inside = new Map([...fields, ...membersIn(fields, ['data', 'function', 'tool'])]);
  const given = firstOf(inside, argumentNames);
  const result = firstOf(inside, resultNames);
  const id = idIn(fields);
  const error = errorIn(inside, result);
  const names = name.split(';').filter((each) => each !== '');
  return names.map((each) => ({
    ...(id !== undefined && names.length === 1 && { id }),
    name: each,
    ...(given !== undefined && { arguments: withoutWrapper(partOf(given, each, names.length)) }),
    ...(error !== undefined ? { error } : outcomeOf(result, each, names.length)),
  }));
}

/** Returns what a call says of its failure: an error in words, or a flag such as `is_error` next to its result. */
function errorIn(fields: ReadonlyMap<string, unknown>, result: unknown): string | undefined {
  const error = fields.get('error');
  const words = error === true ? undefined : readError(error);
  if (words !== undefined) return words;
  const flags = Object.fromEntries([...fields].map(([name, value]) => [flagNames[name] ?? name, value]));
  if (error !== true && !saysItFailed(flags)) return undefined;
  return readOutcome(result ?? failedWithoutWords, true).error;
}

function outcomeOf(result: unknown, name: string, tools: number): Pick<ToolCall, 'result' | 'error'> {
  return result === undefined ? {} : readOutcome(partOf(result, name, tools));
}

function membersIn(fields: ReadonlyMap<string, unknown>, names: readonly string[]): [string, unknown][] {
  return names.flatMap((name) => {
    const member = fields.get(name);
    return isFields(member) ? [...plainFields(member)] : [];
  });
}

/** Returns the arguments without the wrapper of LlamaIndex: `{ args: [], kwargs: { … } }`. */
function withoutWrapper(value: Json): Json {
  return isFields(value) && isFields(value['kwargs']) ? toJson(value['kwargs']) : value;
}

/**
 * Returns arguments or a result as JSON. In a text of JSON that has them by the name of the tool, as in Dify's, the ones of
 * this tool are returned.
 */
function partOf(given: unknown, name: string, tools: number): Json {
  if (typeof given !== 'string') return toJson(given);
  const value = readJsonText(given);
  if (!isFields(value) || !Object.hasOwn(value, name)) return value;
  return tools > 1 || Object.keys(value).length === 1 ? toJson(value[name]) : value;
}

function outcomeIn({ observation, result }: Fields): Pick<ToolCall, 'result' | 'error'> {
  const found = observation ?? result;
  return found === undefined || found === null ? {} : readOutcome(found);
}
