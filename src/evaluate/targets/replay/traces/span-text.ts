import type { Span } from '../../../../core/schema/message.ts';
import { unpack, valueOf } from './attribute-values.ts';
import { roleOf } from '../../reply/message-roles.ts';
import { type Fields, isFields } from '../../reply/part.ts';
import type { RawMessages } from './event-messages.ts';

/** Reads the input and the output of a span as a whole, as messages: `input.value` and `output.value`. */
export function readSpanText({ attributes }: Span): RawMessages {
  return {
    input: messagesFrom(unpack(valueOf(attributes, inputNames)), 'user'),
    output: messagesFrom(unpack(valueOf(attributes, outputNames)), 'assistant'),
  };
}

function messagesFrom(value: unknown, role: 'user' | 'assistant', depth: number = 0): unknown[] {
  if (value === undefined || value === null || value === '') return [];
  if (Array.isArray(value)) return messagesInList(value, role, depth);
  if (!isFields(value)) return [{ role, content: String(value) }];
  const inner = innerOf(value, role);
  if (inner !== undefined && depth < deepest) return messagesFrom(unpack(inner), role, depth + 1);
  return [{ role, content: JSON.stringify(value) }];
}

const deepest = 6;

function messagesInList(list: readonly unknown[], role: 'user' | 'assistant', depth: number): unknown[] {
  const [first] = list;
  if (isMessage(first)) return [...list];
  // LangChain passes chat models a batch: a list of lists.
  if (list.length === 1 && depth < deepest) return messagesFrom(unpack(first), role, depth + 1);
  return [{ role, content: JSON.stringify(list) }];
}

/** Returns whether a value is a message, an item of a response, or a pair of a role and a text. */
function isMessage(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 2 && roleOf(value[0]) !== undefined;
  if (!isFields(value)) return false;
  const { role, type, lc } = value;
  if (role !== undefined || lc !== undefined) return true;
  return typeof type === 'string' && ('content' in value || /(_call|_call_output|^reasoning)$/.test(type));
}

/** Returns the part of an object that contains the text; undefined when nothing indicates which it is. */
function innerOf(value: Fields, role: 'user' | 'assistant'): unknown {
  const { kwargs, messages } = value;
  if (isFields(kwargs) && Object.keys(kwargs).length > 0) return kwargs;
  const said = role === 'assistant' ? outputMessageIn(value) : undefined;
  if (said !== undefined) return [said];
  if (Array.isArray(messages)) return messages;
  const names = role === 'user' ? [...questions, 'inputs'] : [...answers, 'outputs'];
  const name = names.find((each) => value[each] !== undefined && value[each] !== null);
  if (name !== undefined) return value[name];
  const [only, ...others] = Object.values(value);
  return others.length === 0 ? only : undefined;
}

/** Returns the message in the output of a model, or the output itself when it is one. */
function outputMessageIn(value: Fields): unknown {
  const said = firstOf(value['choices'], 'message') ?? firstOf(value['generations'], 'message');
  if (said !== undefined) return said;
  const isMessage = Array.isArray(value['tool_calls']) || (value['role'] !== undefined && 'content' in value);
  return isMessage ? { role: 'assistant', ...value } : undefined;
}

/** Returns the member of the first object in a list, or in a list within it. */
function firstOf(list: unknown, member: string): unknown {
  const first: unknown = Array.isArray(list) ? list.flat()[0] : undefined;
  return isFields(first) ? (first[member] ?? first['text']) : undefined;
}

const inputNames = [
  'input.value',
  'traceloop.entity.input',
  'gen_ai.input',
  'langfuse.observation.input',
  'langfuse.trace.input',
  'mlflow.spanInputs',
  'ai.prompt',
];
const outputNames = [
  'output.value',
  'traceloop.entity.output',
  'gen_ai.output',
  'final_result',
  'langfuse.observation.output',
  'langfuse.trace.output',
  'mlflow.spanOutputs',
  'ai.response.text',
];

/** The names under which the input of a span may contain the question, best first. */
const questions = [
  'question',
  'query',
  'input',
  'prompt',
  'user_input',
  'user_query',
  'query_str',
  'text',
  'content',
  'message',
  'task',
];
/** The names under which the output of a span may contain the answer, best first. */
const answers = [
  'answer',
  'output',
  'response',
  'result',
  'final_answer',
  'final_output',
  'text',
  'content',
  'message',
];
