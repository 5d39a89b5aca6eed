import { isDeepStrictEqual } from 'node:util';
import type { Message, ToolCall } from '../../../schema/message.ts';
import type { Thread, TimedMessage } from './threads.ts';

/** A use of a tool that a span of its own tells of. */
export interface ToolUse {
  readonly call: ToolCall;
  readonly timeMs: number;
  /** The agent that used it, where it is named. */
  readonly agent: string | undefined;
}

/**
 * A transcript of the main thread with every use of a tool: what spans know of the calls that a model asked for is put to
 * those; uses that no message tells of, and calls of other threads, stand between the messages where they were made.
 */
export function placeToolUses(
  main: Thread | undefined,
  { threads, uses }: { readonly threads: readonly Thread[]; readonly uses: readonly ToolUse[] },
): Message[] {
  const asked = threads.flatMap(({ messages }) => messages.flatMap(({ message }) => message.toolCalls ?? []));
  const open = [...asked];
  const alone = uses.filter((use) => !tellOf(open, use));
  const others = threads.filter((thread) => thread !== main).flatMap(callMessages);
  const between = [...others, ...alone.map(toMessage)].sort((a, b) => a.timeMs - b.timeMs);
  return merge(main?.messages ?? [], between);
}

/** Puts what a span knows to the call that it is about; says whether there is one. */
function tellOf(open: ToolCall[], { call }: ToolUse): boolean {
  const found = findAsked(open, call);
  if (found === undefined) return false;
  open.splice(open.indexOf(found), 1);
  found.arguments ??= call.arguments;
  if (found.arguments === undefined) delete found.arguments;
  if (found.result === undefined && found.error === undefined) Object.assign(found, outcomeOf(call));
  else if (call.error !== undefined) found.error = call.error;
  return true;
}

function outcomeOf({ result, error }: ToolCall): Pick<ToolCall, 'result' | 'error'> {
  return { ...(result !== undefined && { result }), ...(error !== undefined && { error }) };
}

/** By its id; else, where one of the two has none, by its name and arguments, then by its name. */
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

/** A use that is as old as a message came before it: a model speaks when its tools have answered. */
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
