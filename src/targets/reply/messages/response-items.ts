import type { ToolCall } from '../../../schema/message.ts';
import { toJson } from '../to-json.ts';
import { type Fields, isFields, type ReadMessage, textIn, toText } from './part.ts';
import { idOf } from './read-part.ts';
import { parseJson, readOutcome } from './read-outcome.ts';

/** Items that say nothing in a conversation: pointers to others, and lists of tools that could be used. */
const silent = ['item_reference', 'mcp_list_tools'];

/**
 * Reads an item of OpenAI's Responses interface that is no message: a use of a tool, what came of it, a thought.
 * Undefined for anything else.
 */
export function readResponseItem(value: Fields): ReadMessage[] | undefined {
  const { type, role } = value;
  if (typeof type !== 'string' || role !== undefined) return undefined;
  if (silent.includes(type)) return [];
  if (type === 'reasoning') return [readThought(value)];
  if (type.endsWith('_call_output')) return [readOutput(value)];
  return type.endsWith('_call') ? [readCall(type, value)] : undefined;
}

function readCall(type: string, value: Fields): ReadMessage {
  const id = textIn(value['call_id'] ?? value['id']);
  const call: ToolCall = {
    name: textIn(value['name']) ?? type.slice(0, -'_call'.length),
    ...(id !== undefined && { id }),
    ...readArguments(value),
    ...readOwnOutcome(value),
  };
  return { role: 'assistant', content: null, toolCalls: [call] };
}

/** Tools that run at the provider keep what they were given under names of their own. */
function readArguments(value: Fields): Pick<ToolCall, 'arguments'> {
  const given = value['arguments'] ?? value['input'] ?? value['action'];
  if (given !== undefined && given !== null) {
    return { arguments: typeof given === 'string' ? parseJson(given) : toJson(given) };
  }
  const { queries, code } = value;
  if (queries !== undefined) return { arguments: { queries: toJson(queries) } };
  return code === undefined ? {} : { arguments: { code: toJson(code) } };
}

function readOwnOutcome(value: Fields): Pick<ToolCall, 'result' | 'error'> {
  const { error } = value;
  if (error !== undefined && error !== null) {
    const message = isFields(error) ? textIn(error['message']) : undefined;
    return { error: message ?? toText(toJson(error)) };
  }
  const given = value['output'] ?? value['outputs'] ?? value['results'];
  return given === undefined || given === null ? {} : readOutcome(given);
}

function readOutput(value: Fields): ReadMessage {
  const outcome = readOutcome(value['output'] ?? null);
  const id = idOf({ call_id: value['call_id'] });
  return {
    role: 'tool',
    content: outcome.error ?? toText(outcome.result ?? null),
    ...(id !== undefined && { toolCallId: id }),
    outcome,
  };
}

function readThought({ summary, content }: Fields): ReadMessage {
  const texts = [summary, content].flat().flatMap((part) => (isFields(part) ? [textIn(part['text'])] : []));
  const reasoning = texts.filter((text) => text !== undefined).join('\n\n');
  return { role: 'assistant', content: null, ...(reasoning !== '' && { reasoning }) };
}
