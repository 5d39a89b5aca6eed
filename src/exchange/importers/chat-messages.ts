import { parseJson } from '../../core/lib/json/parse-json.ts';
import type { Message, ToolCall } from '../../core/schema/message.ts';
import { asObject, asText, type Fields, jsonObject, objectsIn, textOf, filled } from './values.ts';

/** The roles of other tools under ours. */
const roles: Readonly<Record<string, Message['role']>> = {
  system: 'system',
  developer: 'system',
  assistant: 'assistant',
  ai: 'assistant',
  model: 'assistant',
  tool: 'tool',
  function: 'tool',
};

/**
 * Translates messages in the form of OpenAI and of those who follow it: `role` or `type`, a text or parts, tool calls with
 * `function` or with a name of their own. The result of a tool is stored with its call; parts that are no text are named.
 */
export function translateChat(items: readonly unknown[]): Message[] {
  const messages = items.map((each) => (typeof each === 'string' ? { content: each } : asMessage(each)));
  const translated: Message[] = [];
  for (const message of messages) {
    const role = roleOf(message);
    if (role === 'tool' && addResult(translated, message)) continue;
    const toolCalls = objectsIn(message.tool_calls ?? message.tools_called).map(translateToolCall);
    const content = contentOf(message.content);
    translated.push({
      role,
      content: content === '' && toolCalls.length > 0 ? null : content,
      toolCalls: filled(toolCalls),
      toolCallId: asText(message.tool_call_id),
    });
  }
  return translated;
}

/** Returns an object as a message; OpenAI's interface for responses has calls and their results besides the messages. */
function asMessage(raw: unknown): Fields {
  const item = asObject(raw) ?? {};
  if (item.type === 'function_call')
    return {
      role: 'assistant',
      tool_calls: [{ id: item.call_id, name: item.name, arguments: item.arguments }],
    };
  if (item.type === 'function_call_output')
    return { role: 'tool', tool_call_id: item.call_id, content: item.output };
  return item;
}

/** Returns the text of a message: a text, a part, or several; other parts are named by their type. */
export function contentOf(content: unknown): string {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  const parts = Array.isArray(content) ? content : [content];
  return parts
    .map((part) => {
      if (typeof part === 'string') return part;
      const { text, type } = asObject(part) ?? {};
      return asText(text) ?? (type === undefined ? textOf(part ?? '') : `[${textOf(type)}]`);
    })
    .join('\n');
}

/** Translates a tool call, in which the tool is a `function` or has the call's name, and the arguments are JSON or text. */
export function translateToolCall(call: Fields): ToolCall {
  const called = asObject(call.function) ?? call;
  const { name, arguments: rawArguments, args, inputParameters, input_parameters: snake, input } = called;
  const output = call.output ?? call.result ?? undefined;
  return jsonObject({
    id: asText(call.id),
    name: asText(name) ?? 'unknown',
    arguments: parseArguments(rawArguments ?? args ?? inputParameters ?? snake ?? input ?? {}),
    result: output,
  }) as unknown as ToolCall;
}

function roleOf({ role, type }: Fields): Message['role'] {
  const name = asText(role) ?? asText(type) ?? 'user';
  return Object.hasOwn(roles, name) ? (roles[name] ?? 'user') : 'user';
}

/** Keeps the result of a tool with its call: the call with the same id, else the first that has none yet. */
function addResult(messages: readonly Message[], message: Fields): boolean {
  const id = asText(message.tool_call_id);
  const calls = messages.flatMap(({ toolCalls = [] }) => toolCalls);
  const call = calls.find((each) => (id === undefined ? each.result === undefined : each.id === id));
  if (call === undefined) return false;
  call.result = contentOf(message.content);
  return true;
}

function parseArguments(raw: unknown): unknown {
  if (typeof raw !== 'string' || !/^\s*[[{]/.test(raw)) return raw;
  try {
    return parseJson(raw);
  } catch {
    return raw;
  }
}

/** Returns the text of the last message of the assistant; undefined when there is none. */
export function lastAnswer(messages: readonly Message[]): string | undefined {
  return messages.findLast(({ role }) => role === 'assistant')?.content ?? undefined;
}

/** Returns the usage of a call in the words of OpenAI. */
export function usageOf(raw: unknown): Fields | undefined {
  const usage = asObject(raw);
  if (usage === undefined) return undefined;
  const { prompt_tokens: input, completion_tokens: output, cached_tokens: cached } = usage;
  return jsonObject({
    inputTokens: asCount(input),
    outputTokens: asCount(output),
    cachedTokens: asCount(cached),
  });
}

function asCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}
