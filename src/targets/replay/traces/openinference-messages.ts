import type { Attributes } from '../../../schema/recorded-trace.ts';
import { type Fields, isFields, numbered, unpack } from './attribute-values.ts';
import type { RawMessages } from './event-messages.ts';

/** The messages in the numbered attributes of OpenInference: `llm.input_messages.0.message.role`. */
export function readOpenInferenceMessages(attributes: Attributes): RawMessages {
  return {
    input: [...listed(attributes, 'llm.input_messages', 'user'), ...prompts(attributes)],
    output: [...listed(attributes, 'llm.output_messages', 'assistant'), ...choices(attributes)],
  };
}

function listed(attributes: Attributes, prefix: string, role: string): Fields[] {
  const whole = unpack(attributes[prefix]);
  const objects = Array.isArray(whole) ? whole.filter(isFields) : numbered(attributes, prefix);
  return objects.map((object) => toMessage(object, role));
}

function toMessage(object: Fields, role: string): Fields {
  const calls = membersOf(object, 'message.tool_calls').map(toToolCall);
  const parts = membersOf(object, 'message.contents').flatMap((part) => toPart(part, calls.length > 0));
  const name = object['message.function_call_name'];
  const given = object['message.function_call_arguments_json'];
  return {
    role: object['message.role'] ?? role,
    content: parts.length > 0 ? parts : (object['message.content'] ?? null),
    ...(calls.length > 0 && { tool_calls: calls }),
    ...(name !== undefined && { function_call: { name, arguments: given } }),
    ...(object['message.tool_call_id'] !== undefined && { tool_call_id: object['message.tool_call_id'] }),
    ...(object['message.name'] !== undefined && { name: object['message.name'] }),
  };
}

function membersOf(object: Fields, name: string): Fields[] {
  const list = unpack(object[name]);
  return Array.isArray(list) ? list.filter(isFields) : numbered(object, name);
}

function toToolCall(call: Fields): Fields {
  return {
    ...(call['tool_call.id'] !== undefined && { id: call['tool_call.id'] }),
    name: call['tool_call.function.name'],
    arguments: call['tool_call.function.arguments'],
  };
}

/** A use of a tool among the contents says again what stands under `tool_calls`, where that is given. */
function toPart(part: Fields, hasCalls: boolean): Fields[] {
  const type = part['message_content.type'];
  if (type !== 'tool_use') return [{ type, text: part['message_content.text'] }];
  return hasCalls ? [] : [{ type, ...toToolCall(part) }];
}

function prompts(attributes: Attributes): Fields[] {
  return numbered(attributes, 'llm.prompts').map((prompt) => ({
    role: 'user',
    content: prompt['prompt.text'] ?? null,
  }));
}

function choices(attributes: Attributes): Fields[] {
  return numbered(attributes, 'llm.choices')
    .slice(0, 1)
    .map((choice) => ({ role: 'assistant', content: choice['completion.text'] ?? null }));
}
