import { isContainer } from '../../../core/lib/json/is-container.ts';
import type { ToolCall } from '../../../core/schema/message.ts';
import { type FoundCalls, collectCalls, isCallKey, isSpecification, plainKey } from './call-forms.ts';
import { toolCallsOf, type UnreadMember } from '../../../core/schema/trial.ts';
import { type Fields, isFields } from './part.ts';
import { readEnvelope } from './read-envelope.ts';
import { readJsonText, readToolCalls } from './read-tool-calls.ts';
import { replyAliases } from './reply-aliases.ts';

/** The tool calls of a reply. */
export interface ReplyCalls {
  readonly toolCalls: ToolCall[];
  /** The members of the reply in which they were found. */
  readonly keys: readonly string[];
  /** False when nothing in the reply says which tools were used, or that none was. */
  readonly isStated: boolean;
}

/** Lists of events, as `plainKey` names them, in which some items may be calls. */
const journals = new Set([
  'intermediatesteps',
  'agentsteps',
  'agentthoughts',
  'agentreasoning',
  'agentactions',
  'actions',
  'steps',
  'trace',
  'traces',
  'trajectory',
  'events',
  'newitems',
  'toolresults',
  'tooloutputs',
  'toolmessages',
  'runsteps',
  'spans',
  'agentflowexecuteddata',
  'sources',
  'replies',
  'parts',
  'tasksoutput',
]);

/** The journals that list nothing but uses of tools: an empty one says that there was none. */
const ownJournals = new Set([
  'intermediatesteps',
  'agentthoughts',
  'agentactions',
  'actions',
  'toolresults',
  'tooloutputs',
]);

/** Members that hold other parts of a reply. */
const otherParts = new Set<string>([...replyAliases.state, ...replyAliases.usage, ...replyAliases.error]);

/**
 * Finds the tool calls of a reply by the names and forms of the usual frameworks, in the reply itself and in the objects
 * directly inside it. Of several lists, the fullest counts, with the calls of tools that only another one names. Throws
 * `TargetFailure` for an invalid item of a list that can only be one of calls.
 */
export function findToolCalls(reply: Fields): ReplyCalls {
  const found = [
    ...envelopeList(reply),
    ...namedLists(reply),
    ...Object.entries(reply).flatMap(([key, value]) => innerLists(key, value)),
  ];
  const stated = found.filter(({ isStated }) => isStated);
  const [fullest, ...others] = stated.toSorted((one, other) => other.calls.length - one.calls.length);
  const toolCalls = [...(fullest?.calls ?? [])];
  for (const { calls } of others) {
    const known = new Set(toolCalls.map(({ name }) => name));
    toolCalls.push(...calls.filter(({ name }) => !known.has(name)));
  }
  return { toolCalls, keys: stated.map(({ key }) => key), isStated: fullest !== undefined };
}

interface CallList extends FoundCalls {
  readonly key: string;
}

/** Returns the calls of a reply in the form of a model's API, which states them also by their absence. */
function envelopeList(reply: Fields): CallList[] {
  const envelope = readEnvelope(reply);
  if (envelope === undefined) return [];
  return [{ calls: toolCallsOf(envelope.messages), isStated: true, key: envelope.key }];
}

function namedLists(reply: Fields): CallList[] {
  // Results of SDKs are instances of classes, whose lists are no members of their own.
  const names = new Set([
    ...replyAliases.toolCalls.filter((name) => name in reply),
    'steps',
    ...Object.keys(reply),
  ]);
  return [...names].flatMap((key): CallList[] => {
    const value = reply[key];
    if (value === undefined) return [];
    const isAlias = replyAliases.toolCalls.some((name) => name === key);
    const found = isAlias ? readStrictly(value, key) : readLoosely(value, key);
    return found === undefined ? [] : [{ ...found, key }];
  });
}

/** Reads a list under a name of Touchstone's own, in which every item must be a call; undefined for one of descriptions of tools. */
function readStrictly(value: unknown, key: string): FoundCalls | undefined {
  const list = typeof value === 'string' ? readJsonText(value) : value;
  if (
    Array.isArray(list) &&
    list.length > 0 &&
    list.every((item) => isFields(item) && isSpecification(item))
  ) {
    return undefined;
  }
  return readCallList(list, key);
}

/**
 * Reads a list that can only be one of tool calls: of names, of calls, or in one of the forms of `collectCalls`. Throws
 * `TargetFailure` with the invalid item.
 */
export function readCallList(value: unknown, field: string): FoundCalls {
  try {
    return { calls: readToolCalls(value, field), isStated: true };
  } catch (error) {
    const isOfObjects = [value].flat().every(isContainer);
    const found = collectCalls(value, 'toolcalls');
    if (!found.isStated || !isOfObjects) throw error;
    return found;
  }
}

function readLoosely(value: unknown, key: string): FoundCalls | undefined {
  const name = plainKey(key);
  if (!isCallKey(name) && !journals.has(name)) return undefined;
  if (ownJournals.has(name) && Array.isArray(value) && value.length === 0)
    return { calls: [], isStated: true };
  const read = typeof value === 'string' ? readJsonText(value) : value;
  return collectCalls(read, name);
}

function innerLists(key: string, value: unknown): CallList[] {
  if (!isFields(value) || otherParts.has(key) || isCallKey(plainKey(key))) return [];
  return Object.entries(value).flatMap(([inner, member]): CallList[] => {
    const found = readLoosely(member, inner);
    return found === undefined ? [] : [{ ...found, key }];
  });
}

/** Describes a member that nothing reads; what looks like tool calls in it is found by its name or by its content. */
export function describeUnread(key: string, value: unknown): UnreadMember {
  const path = pathOfCalls(key, value);
  return path === undefined ? { key } : { key, callsAt: path };
}

function pathOfCalls(key: string, value: unknown): string | undefined {
  if (!isContainer(value) || Object.keys(value).length === 0) return undefined;
  if ([value].flat().every((item) => isFields(item) && isSpecification(item))) return undefined;
  const inner = isFields(value) ? Object.entries(value) : [];
  for (const [name, member] of inner) {
    if (!isContainer(member)) continue;
    if (suspicious.test(plainKey(name)) || collectCalls(member, plainKey(name)).isStated)
      return `${key}.${name}`;
  }
  const name = plainKey(key);
  return suspicious.test(name) || collectCalls(value, name).isStated ? key : undefined;
}

const suspicious =
  /tool|functions?$|calls?$|actions?$|invocation|steps$|traces?$|plugin|skill|thought|trajectory/;
