import { isContainer } from '../../../core/lib/json/is-container.ts';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { ToolCall } from '../../../core/schema/message.ts';
import type { HandledOutcome } from '../target.ts';
import { type Fields, isFields, type Outcome, toText } from './part.ts';
import { findField, invalidField, readScalar } from './read-text.ts';
import { toolCallAliases } from './reply-aliases.ts';
import { toJson } from './to-json.ts';

/** Reads a list of tool names or tool calls; null is an empty list. Throws `TargetFailure` with the invalid item. */
export function readToolCalls(value: unknown, field: string): ToolCall[] {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) throw invalidField(field, value, 'a list of tool names or of tool calls');
  return [...value].map((item, index) => readToolCall(item, `${field}[${index}]`)); // The spread keeps holes in the list as invalid items.
}

function readToolCall(value: unknown, field: string): ToolCall {
  if (typeof value === 'string') return { name: readName(value, field) };
  if (!isContainer(value) || Array.isArray(value)) {
    throw invalidField(field, value, 'the name of a tool or an object with its name');
  }
  // OpenAI puts a tool with free text as its input under `custom`.
  const nested = findField(value, ['function', 'custom'])?.value;
  const source = isContainer(nested) ? { ...value, function: undefined, ...nested } : value;
  const call: ToolCall = { name: readName(findName(source, field), `${field}.name`) };
  const id = findField(value, toolCallAliases.id)?.value;
  if (id !== undefined && id !== null) call.id = typeof id === 'string' ? id.toWellFormed() : readScalar(id);
  addOutcome(call, source);
  return call;
}

function findName(source: object, field: string): unknown {
  const found = findField(source, toolCallAliases.name);
  if (found !== undefined) return found.value;
  throw invalidField(field, source, `a tool call with its name under ${toolCallAliases.name.join(', ')}`);
}

function readName(value: unknown, field: string): string {
  if (typeof value === 'string' && value !== '') return value.toWellFormed();
  throw invalidField(field, value, 'the name of a tool');
}

function addOutcome(call: ToolCall, source: object): void {
  const args = findField(source, toolCallAliases.arguments);
  if (args !== undefined) call.arguments = readArguments(args.name, args.value);
  const result = findField(source, toolCallAliases.result);
  const error = readError(findField(source, toolCallAliases.error)?.value);
  if (error === undefined && saysItFailed(source as Fields)) {
    call.error = result === undefined ? failedWithoutWords : errorText(toJson(result.value));
    return;
  }
  if (result !== undefined) call.result = toJson(result.value);
  if (error !== undefined) call.error = error;
}

/** The error that is stored for a failed call of which nothing else is known. */
export const failedWithoutWords = 'failed';

const failureFlags = ['is_error', 'isError', 'tool_call_error', 'toolCallError', 'failed'];
const failedStatus = /^(?:error|errored|failed|failure|output-error|timeout|timed_out)$/i;

/** Returns whether a call says that it failed: by a flag such as `is_error`, by `success: false`, or by its `status`. */
export function saysItFailed(value: Fields): boolean {
  const { success, ok, status } = value;
  if (success === false || ok === false) return true;
  return (
    failureFlags.some((name) => value[name] === true) ||
    (typeof status === 'string' && failedStatus.test(status))
  );
}

/** Reads the arguments of a call. Model APIs send `arguments` as a text of JSON; a text that is not JSON stays as it is. */
function readArguments(name: string, value: unknown): Json {
  if (name !== 'arguments' || typeof value !== 'string' || !/^\s*[[{]/.test(value)) return toJson(value);
  try {
    return toJson(parseJson(value));
  } catch {
    return toJson(value);
  }
}

/** Returns the message of an error that a target reported; undefined when it reported none. */
export function readError(value: unknown): string | undefined {
  if (value === null || value === undefined || value === false) return undefined;
  if (typeof value === 'string') return value.trim() === '' ? undefined : value.toWellFormed();
  if (typeof value === 'object' && 'message' in value && typeof value.message === 'string') {
    return readError(value.message);
  }
  return JSON.stringify(toJson(value));
}

/**
 * Reads the outcome of a tool call from what the tool returned and whether that is marked as an error. When a program
 * reports errors as ordinary results, they stay results; metrics can still recognise them.
 */
export function readOutcome(value: unknown, isError: boolean = false): Outcome {
  if (isFields(value) && value['isError'] === true) return readOutcome(value['content'] ?? value, true);
  const result = plainResult(value);
  return isError ? { error: errorText(result) } : { result };
}

/** Returns the value inside the wrappers in which model APIs send the results of tools. */
function plainResult(value: unknown): Json {
  if (typeof value === 'string') return readJsonText(value);
  if (Array.isArray(value) && value.length > 0) return joinBlocks(value) ?? toJson(value);
  if (isFields(value) && isTyped(value, /^(text|json|content|error-text|error-json)$/, 'value')) {
    return plainResult(value['value']);
  }
  if (isFields(value) && Array.isArray(value['content']) && value['content'].length > 0) {
    return joinBlocks(value['content']) ?? toJson(value);
  }
  return toJson(value);
}

function isTyped(value: Fields, types: RegExp, holder: string): boolean {
  return typeof value['type'] === 'string' && types.test(value['type']) && holder in value;
}

/** Joins a list of blocks that are all texts; undefined for any other list. */
function joinBlocks(blocks: readonly unknown[]): Json | undefined {
  const [only] = blocks;
  if (blocks.length === 1 && isFields(only) && Object.keys(only).join() === 'json')
    return toJson(only['json']);
  const texts = blocks.map((block) => (isFields(block) ? blockText(block) : undefined));
  return texts.every((text) => text !== undefined) ? readJsonText(texts.join('\n')) : undefined;
}

function blockText(block: Fields): string | undefined {
  const { type, text } = block;
  return typeof text === 'string' && (type === undefined || String(type).endsWith('text')) ? text : undefined;
}

/** Parses a text that contains a JSON object or list. Any other text is returned as it is. */
export function readJsonText(text: string): Json {
  if (!/^\s*[[{]/.test(text)) return text.toWellFormed();
  try {
    return toJson(parseJson(text));
  } catch {
    return text.toWellFormed(); // It is not JSON.
  }
}

function errorText(result: Json): string {
  if (!isFields(result)) return toText(result);
  const said = isFields(result['error'])
    ? result['error']['message']
    : (result['error'] ?? result['message']);
  return typeof said === 'string' ? said : toText(result);
}

/** Returns the part of an outcome that is stored with a tool call: all but the error details that only programs use. */
export function keptOutcome(outcome: HandledOutcome): Omit<ToolCall, 'id' | 'name' | 'arguments'> {
  if ('result' in outcome) return outcome;
  const { details: _details, ...kept } = outcome;
  return kept;
}
