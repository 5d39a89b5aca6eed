import type { Json } from '../../schema/json.ts';
import type { ToolCall } from '../../schema/message.ts';
import { findField } from './find-field.ts';
import { invalidField } from './invalid-answer.ts';
import { readScalar } from './read-text.ts';
import { toolCallAliases } from './reply-aliases.ts';
import { toJson } from './to-json.ts';

/** Reads a list of tool names or tool calls; null is an empty one. Throws `TargetFailure` naming the bad item. */
export function readToolCalls(value: unknown, field: string): ToolCall[] {
  if (value === null || value === undefined) return [];
  if (!Array.isArray(value)) throw invalidField(field, value, 'a list of tool names or of tool calls');
  return [...value].map((item, index) => readToolCall(item, `${field}[${index}]`)); // A hole in a list is told, too.
}

function readToolCall(value: unknown, field: string): ToolCall {
  if (typeof value === 'string') return { name: readName(value, field) };
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw invalidField(field, value, 'the name of a tool or an object with its name');
  }
  const nested = findField(value, ['function'])?.value;
  const source =
    nested !== null && typeof nested === 'object' ? { ...value, function: undefined, ...nested } : value;
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
  const given = findField(source, toolCallAliases.arguments);
  if (given !== undefined) call.arguments = readArguments(given.name, given.value);
  const result = findField(source, toolCallAliases.result);
  if (result !== undefined) call.result = toJson(result.value);
  const error = readError(findField(source, toolCallAliases.error)?.value);
  if (error !== undefined) call.error = error;
}

/** Model APIs send `arguments` as JSON inside a text; a text that is not JSON is kept as it is. */
function readArguments(name: string, value: unknown): Json {
  if (name !== 'arguments' || typeof value !== 'string' || !/^\s*[[{]/.test(value)) return toJson(value);
  try {
    return toJson(JSON.parse(value));
  } catch {
    return toJson(value);
  }
}

/** The words of an error that a target reported; undefined when it reported none. */
export function readError(value: unknown): string | undefined {
  if (value === null || value === undefined || value === false) return undefined;
  if (typeof value === 'string') return value.trim() === '' ? undefined : value.toWellFormed();
  if (typeof value === 'object' && 'message' in value && typeof value.message === 'string') {
    return readError(value.message);
  }
  return JSON.stringify(toJson(value));
}
