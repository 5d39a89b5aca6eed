import { isDeepStrictEqual } from 'node:util';
import type { Message, Span, ToolCall } from '../../../../core/schema/message.ts';
import { isWaiting } from '../../reply/message-roles.ts';
import { type Fields, isFields } from '../../reply/part.ts';
import { readOutcome } from '../../reply/read-tool-calls.ts';
import { toJson } from '../../reply/to-json.ts';
import { textOf, unpack, valueOf } from './attribute-values.ts';
import { readEventMessages } from './event-messages.ts';
import { type SpanNode, surrounding } from './span-tree.ts';
import type { Thread, TimedMessage } from './threads.ts';

/** A tool use that a span of its own records. */
interface ToolUse {
  readonly call: ToolCall;
  readonly timeMs: number;
  /** The agent that used the tool, when it is named. */
  readonly agent: string | undefined;
}

/** Returns the tool uses in the order in which they began, each once where libraries record it in nested spans. */
export function toolUsesOf(nodes: readonly SpanNode[]): ToolUse[] {
  const outermost = new Map<SpanNode, ToolCall>();
  for (const node of nodes) {
    if (node.kind !== 'tool') continue;
    const call = toolUseOf(node.span);
    const around = surrounding(node);
    const known = around === undefined ? undefined : outermost.get(around);
    if (known?.name === call.name) Object.assign(known, { ...call, ...known });
    else outermost.set(node, call);
  }
  return Array.from(outermost, ([{ span, path }, call]) => ({
    call,
    timeMs: span.endMs ?? span.startMs ?? 0,
    agent: path.length > 1 ? path.at(-1) : undefined,
  }));
}

/** Reads the tool use that a span is about: its arguments, its result, and the error that it ended with. */
function toolUseOf(span: Span): ToolCall {
  const { attributes, name } = span;
  const id = textOf(attributes, ids);
  const asked = argumentsOf(span);
  return {
    ...(id !== undefined && { id }),
    name: (textOf(attributes, names) ?? name.replace(/^execute_tool /, '')).toWellFormed() || 'unnamed',
    ...(asked !== undefined && { arguments: toJson(asked) }),
    ...outcomeOf(span),
  };
}

/**
 * Returns the arguments of a tool use. An object in `input.value` precedes `tool.parameters`, which may instead
 * describe the tool's parameters.
 */
function argumentsOf(span: Span): unknown {
  const { attributes } = span;
  const stated = unpack(valueOf(attributes, given));
  if (stated !== undefined) return unwrap(stated);
  const [input, parameters] = ['input.value', 'tool.parameters'].map((name) =>
    unpack(valueOf(attributes, [name])),
  );
  if (isFields(input)) return unwrap(input);
  if (isFields(parameters) && !isSchema(parameters)) return parameters;
  return input ?? eventOf(span, 'input');
}

/** Returns the arguments of a function without the wrappers that libraries put around them. */
function unwrap(value: unknown): unknown {
  if (!isFields(value)) return value;
  const { args, kwargs, inputs } = value;
  if (isFields(kwargs) && (args === undefined || isDeepStrictEqual(args, []))) return kwargs;
  return isFields(inputs) && 'input_str' in value ? inputs : value;
}

function isSchema(value: Fields): boolean {
  return 'properties' in value || '$schema' in value || value['type'] === 'object';
}

function outcomeOf(span: Span): Pick<ToolCall, 'result' | 'error'> {
  const output = unpack(valueOf(span.attributes, results) ?? eventOf(span, 'output'));
  const outcome = output === undefined ? {} : readOutcome(messageContent(output), isFailed(output));
  const error = span.error ?? textOf(span.attributes, ['error.type']);
  if (error === undefined) return outcome;
  const words = [error, textOf(span.attributes, ['error.type'])].find(
    (text) => text !== undefined && text !== '',
  );
  return {
    ...outcome,
    error: (words ?? outcome.error ?? 'The tool failed; its span does not say why.').toWellFormed(),
  };
}

/** Returns the content of a tool result that a library recorded as a whole message. */
function messageContent(value: unknown): unknown {
  return isFields(value) && 'content' in value && ('tool_call_id' in value || value['type'] === 'tool')
    ? value['content']
    : value;
}

function isFailed(value: unknown): boolean {
  return isFields(value) && value['status'] === 'error' && 'content' in value;
}

/** Reads the events of a tool's span, in which `gen_ai.tool.message` is the input and `gen_ai.choice` the output. */
function eventOf({ events }: Span, side: 'input' | 'output'): unknown {
  const message = readEventMessages(events)[side].find(isFields);
  const content = unpack(message?.['content'] ?? undefined);
  return content === null ? undefined : content;
}

const ids = ['gen_ai.tool.call.id', 'tool_call.id', 'tool.id', 'ai.toolCall.id'];
const names = [
  'gen_ai.tool.name',
  'tool.name',
  'tool_call.function.name',
  'ai.toolCall.name',
  'traceloop.entity.name',
];
const given = [
  'gen_ai.tool.call.arguments',
  'tool_call.function.arguments',
  'gen_ai.tool.arguments',
  'gen_ai.tool.input',
  'ai.toolCall.args',
  'tool_arguments',
  'gcp.vertex.agent.tool_call_args',
  'traceloop.entity.input',
];
const results = [
  'gen_ai.tool.call.result',
  'gen_ai.tool.output',
  'gen_ai.tool.result',
  'ai.toolCall.result',
  'tool_response',
  'gcp.vertex.agent.tool_response',
  'traceloop.entity.output',
  'output.value',
];

/**
 * Returns a transcript of the main thread with every tool use. What spans know of the calls that a model asked for is added to
 * those; uses that no message mentions, and calls of other threads, are inserted between the messages at their times.
 */
export function placeToolUses(
  main: Thread | undefined,
  { threads, uses }: { readonly threads: readonly Thread[]; readonly uses: readonly ToolUse[] },
): Message[] {
  const asked = threads.flatMap(({ messages }) => messages.flatMap(({ message }) => message.toolCalls ?? []));
  const open = [...asked];
  const alone = uses.filter((use) => !completeCall(open, use));
  const others = threads.filter((thread) => thread !== main).flatMap(callMessages);
  const between = [...others, ...alone.map(toMessage)].sort((a, b) => a.timeMs - b.timeMs);
  return merge(main?.messages ?? [], between);
}

/** Adds what a span records to the call that it is about. Returns whether there is one. */
function completeCall(open: ToolCall[], { call }: ToolUse): boolean {
  const found = findAsked(open, call);
  if (found === undefined) return false;
  open.splice(open.indexOf(found), 1);
  found.arguments ??= call.arguments;
  if (found.arguments === undefined) delete found.arguments;
  if (isWaiting(found)) Object.assign(found, outcomeOfCall(call));
  else if (call.error !== undefined) found.error = call.error;
  return true;
}

function outcomeOfCall({ result, error }: ToolCall): Pick<ToolCall, 'result' | 'error'> {
  return { ...(result !== undefined && { result }), ...(error !== undefined && { error }) };
}

/** Finds the call of a tool use by its id; else, when one of the two has none, by its name and arguments, then by its name. */
function findAsked(open: readonly ToolCall[], use: ToolCall): ToolCall | undefined {
  const named = open.filter(({ name }) => name === use.name);
  const sameId = use.id === undefined ? undefined : named.find(({ id }) => id === use.id);
  if (sameId !== undefined) return sameId;
  const loose = named.filter(({ id }) => id === undefined || use.id === undefined);
  return loose.find((call) => isDeepStrictEqual(call.arguments, use.arguments)) ?? loose[0];
}

function callMessages({ messages, path }: Thread): TimedMessage[] {
  return messages.flatMap(({ message, timeMs }) => {
    const { toolCalls = [] } = message;
    return toolCalls.map((call) => toMessage({ call, timeMs, agent: path.at(-1) }));
  });
}

function toMessage({ call, timeMs, agent }: ToolUse): TimedMessage {
  const message: Message = { role: 'assistant', content: null, toolCalls: [call] };
  return { timeMs, message: agent === undefined ? message : { ...message, name: agent } };
}

/**
 * Merges messages by time. A tool use with the same time as an answer precedes it: a model speaks after its tools have
 * answered.
 */
function merge(main: readonly TimedMessage[], between: readonly TimedMessage[]): Message[] {
  const merged: Message[] = [];
  let next = 0;
  for (const { message, timeMs } of main) {
    const isAnswer = message.role === 'assistant';
    while (isAnswer && next < between.length && (between[next] as TimedMessage).timeMs <= timeMs) {
      merged.push((between[next] as TimedMessage).message);
      next += 1;
    }
    merged.push(message);
  }
  return [...merged, ...between.slice(next).map(({ message }) => message)];
}
