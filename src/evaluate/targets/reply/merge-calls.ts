import { canonicalJson } from '../../../core/lib/content-hash.ts';
import { tryParseJson } from '../../../core/lib/json/parse-json.ts';
import { pairInOrder } from '../../../core/lib/lists/pair-in-order.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { Message, ToolCall } from '../../../core/schema/message.ts';
import type { Reply } from '../target.ts';
import { withToolCalls } from './read-messages.ts';

/** The rules by which calls that a bot reports are compared with those that were seen. */
interface MergeRules {
  /** Returns whether calls of a tool are seen: one that was not seen was then not made. */
  isSeen(name: string): boolean;
  /** Returns the name of a tool without its server. */
  plainName(name: string): string;
  /** True where the calls that are reported are those that were seen: they are annotated, and none is omitted. */
  readonly isOwn?: boolean;
}

/** A reported call, with the place of its message in the transcript; 0 without one. */
interface Slot {
  readonly call: ToolCall;
  readonly at: number;
}

/**
 * Puts the calls that were seen in the place of those that the bot reports: reported ones with the same name and arguments, in
 * order, keep their place. What the bot reported of such tools becomes `reportedCalls`; calls of other tools stay as reported.
 */
export function mergeCalls(reply: Reply, seen: readonly ToolCall[], rules: MergeRules): Reply {
  const { transcript, toolCalls } = reply;
  const first = transcript === undefined ? 0 : transcript.findLastIndex(({ role }) => role === 'user') + 1;
  const slots: Slot[] =
    transcript === undefined
      ? toolCalls.map((call) => ({ call, at: 0 }))
      : transcript.flatMap((message, at) =>
          at < first ? [] : (message.toolCalls ?? []).map((call) => ({ call, at })),
        );
  const reported = slots.filter(
    ({ call }) => rules.isOwn === true || rules.isSeen(rules.plainName(call.name)),
  );
  const isSame = ({ call }: Slot, other: ToolCall) => isSameCall(call, other, rules);
  const pairs = new Map(pairInOrder(reported, seen, isSame).map(([slot, index]) => [reported[slot], index]));
  if (seen.length === 0 && reported.length === 0) return reply;
  const placed = placeCalls(slots, seen, { pairs, leftOut: new Set(rules.isOwn === true ? [] : reported) });
  const said = reported.map(({ call }, index) => saidOf(call, seen[pairs.get(reported[index]) ?? -1]));
  const calls = placed.map(({ call }) => call);
  return {
    ...reply,
    toolCalls: calls,
    transcript: transcript && placeInMessages(transcript, placed, { first, isBare: slots.length === 0 }),
    reportedCalls: said.length === 0 ? undefined : said,
  };
}

function placeCalls(
  slots: readonly Slot[],
  seen: readonly ToolCall[],
  {
    pairs,
    leftOut,
  }: { readonly pairs: ReadonlyMap<Slot | undefined, number>; readonly leftOut: ReadonlySet<Slot> },
): Slot[] {
  let next = 0;
  const placed = slots.flatMap((slot): Slot[] => {
    const index = pairs.get(slot);
    if (index === undefined) return leftOut.has(slot) ? [] : [slot];
    const before = seen.slice(next, index).map((call) => ({ call, at: slot.at }));
    next = index + 1;
    const call = { ...(seen[index] as ToolCall) };
    if (slot.call.id !== undefined) call.id = slot.call.id;
    return [...before, { call, at: slot.at }];
  });
  const last = slots.at(-1)?.at ?? 0;
  return [...placed, ...seen.slice(next).map((call) => ({ call, at: last }))];
}

function placeInMessages(
  transcript: readonly Message[],
  placed: readonly Slot[],
  { first, isBare }: { readonly first: number; readonly isBare: boolean },
): Message[] {
  if (isBare) {
    const calls = placed.map(({ call }) => call);
    return [...transcript.slice(0, first), ...withToolCalls(transcript.slice(first), calls)];
  }
  const left = new Set(placed.flatMap(({ call }) => call.id ?? []));
  return transcript.flatMap((message, at): Message[] => {
    if (at < first) return [message];
    if (message.role === 'tool' && message.toolCallId !== undefined)
      return left.has(message.toolCallId) ? [message] : [];
    if (message.toolCalls === undefined) return [message];
    const { toolCalls: _reported, ...rest } = message;
    const calls = placed.filter((slot) => slot.at === at).map(({ call }) => call);
    if (calls.length > 0) return [{ ...rest, toolCalls: calls }];
    return message.content === null ? [] : [rest];
  });
}

/** Returns what a bot said of a call, without what is the same as was seen. */
function saidOf(call: ToolCall, seen: ToolCall | undefined): ToolCall {
  const { name, arguments: args, result, error } = call;
  const said: ToolCall = { name, arguments: args };
  const isSame =
    seen !== undefined &&
    (result === undefined || canonicalJson(result) === canonicalJson(seen.result ?? null));
  if (result !== undefined && !isSame) said.result = result;
  if (error !== undefined && seen?.error === undefined) said.error = error;
  return said;
}

/** Returns whether a reported call is one that was seen; a report without arguments says nothing of them. */
function isSameCall(reported: ToolCall, seen: ToolCall, { plainName }: MergeRules): boolean {
  if (plainName(reported.name) !== seen.name) return false;
  if (reported.arguments === undefined) return true;
  return canonicalJson(readArguments(reported.arguments)) === canonicalJson(seen.arguments ?? {});
}

/** Returns arguments as JSON, which some bots report as a text. */
function readArguments(args: Json | undefined): Json {
  if (typeof args !== 'string' || !/^\s*\{/.test(args)) return args ?? {};
  return tryParseJson(args, args) as Json;
}
