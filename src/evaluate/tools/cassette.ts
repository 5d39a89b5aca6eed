import { TouchstoneError } from '../../core/errors.ts';
import { canonicalJson, hashContent } from '../../core/lib/content-hash.ts';
import { isContainer } from '../../core/lib/json/is-container.ts';
import { parseJson } from '../../core/lib/json/parse-json.ts';
import type { Comparison } from '../../core/schema/expected-calls.ts';
import type { Json } from '../../core/schema/json.ts';
import type { ListedTool } from '../../core/schema/tools/listed-server.ts';
import type { ToolCall, Wire } from '../../core/schema/message.ts';
import { type Trial, type ToolTraffic, toolCallsOf } from '../../core/schema/trial.ts';
import { toJson } from '../targets/reply/to-json.ts';
import { argumentsKey, withoutPaths } from './match-call.ts';

/** One recorded call. */
export interface RecordedCall {
  readonly case: string;
  readonly server?: string;
  readonly tool: string;
  readonly arguments: Json;
  /** Counts the equal calls of an attempt, from 1. */
  readonly nth: number;
  readonly result?: Json;
  readonly error?: string;
  readonly wire?: Wire;
  readonly readOnly?: true;
}

/** The recorded replies of one server to what is no tool call, by method and request. */
type ServerReplies = Readonly<Record<string, Json>>;

/** The recorded results of tools. */
export interface Cassette {
  readonly servers: Readonly<Record<string, ServerReplies>>;
  /** The calls of each case. */
  readonly calls: ReadonlyMap<string, readonly RecordedCall[]>;
}

/** The rules by which arguments are compared, by tool. */
export type MatchRules = Readonly<Record<string, Comparison>>;

/** Returns the rule for a tool, by its name or by `server.name`. */
export function ruleOf(
  match: MatchRules,
  { server, name }: { readonly server?: string; readonly name: string },
): Comparison {
  return match[`${server ?? ''}.${name}`] ?? match[name] ?? {};
}

/** Returns the hash of the recorded calls of each case that has some. */
export function hashRecordings({ calls }: Cassette): Record<string, string> {
  return Object.fromEntries(Array.from(calls, ([id, ofCase]) => [id, hashContent(ofCase).slice(0, 8)]));
}

/** Parses a cassette. Throws `cassette-invalid` with the place. */
export function readCassette(text: string, shown: string, match: MatchRules): Cassette {
  const fail = (line: number, problem: string): never => {
    throw new TouchstoneError('cassette-invalid', `${shown}:${line}: ${problem}.`);
  };
  const lines = text
    .split('\n')
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.trim() !== '');
  const parse = ({ line, number }: { line: string; number: number }): { readonly [key: string]: Json } => {
    try {
      const value = parseJson(line) as Json;
      if (isContainer(value) && !Array.isArray(value)) return value;
    } catch {
      // Reported below, as any other line that is no object.
    }
    return fail(number, 'this line is no JSON object');
  };
  const [first, ...others] = lines;
  const head = first === undefined ? fail(1, 'the file is empty') : parse(first);
  if (head['cassette'] !== 1)
    fail(1, `the version of the cassette is ${JSON.stringify(head['cassette'] ?? null)}, and 1 is known`);
  const calls = new Map<string, RecordedCall[]>();
  const keys = new Set<string>();
  for (const each of others) {
    const entry = parse(each);
    const { case: id, tool, nth } = entry;
    if (typeof id !== 'string' || typeof tool !== 'string' || typeof nth !== 'number')
      fail(each.number, 'a call needs `case`, `tool` and `nth`');
    const call = { arguments: {}, ...entry } as unknown as RecordedCall;
    const key = JSON.stringify([call.case, call.server, keyOf(call.tool, call, match), call.nth]);
    if (keys.has(key)) fail(each.number, 'an earlier line records the same call');
    keys.add(key);
    calls.set(call.case, [...(calls.get(call.case) ?? []), call]);
  }
  const servers = isContainer(head['servers']) ? head['servers'] : {};
  return { servers: servers as Cassette['servers'], calls };
}

function keyOf(
  name: string,
  { server, arguments: args }: Pick<RecordedCall, 'server' | 'arguments'>,
  match: MatchRules,
): string {
  return `${name} ${argumentsKey(args, ruleOf(match, { server, name }))}`;
}

/** Returns the name under which a cassette has the reply to a request that is no tool call: what a client says of itself does not count. */
export function trafficKey(method: string, request: Json | undefined): string {
  if (method === 'initialize' || method === 'server/discover' || !isContainer(request)) return method;
  const { _meta: _own, ...asked } = request as { [key: string]: Json };
  return Object.keys(asked).length === 0 ? method : `${method} ${canonicalJson(asked)}`;
}

/** The settings of a cassette that is written. */
interface WriteSettings {
  readonly match: MatchRules;
  /** The recording before; its calls stay where they were not made again. */
  readonly before?: Cassette;
  /** The tools that servers listed, whether or not a bot asked for them. */
  readonly lists?: Readonly<Record<string, readonly ListedTool[]>>;
  /** Changes the texts of each line, such as to remove personal data. */
  readonly redact?: (call: RecordedCall) => RecordedCall;
}

/** Gathers the results of tools from trials, in the order of their plan, and writes them as a cassette. */
export function createCassetteWriter({ match, before, lists = {}, redact = (call) => call }: WriteSettings) {
  const lines = new Map<string, RecordedCall>();
  const servers: Record<string, Record<string, Json>> = {};
  const addCall = (call: RecordedCall) => {
    const key = JSON.stringify([
      call.case,
      call.server ?? '',
      call.tool,
      argumentsKey(call.arguments, ruleOf(match, { server: call.server, name: call.tool })),
      String(call.nth).padStart(9, '0'),
    ]);
    if (!lines.has(key)) lines.set(key, call);
  };
  const addReplies = (server: string, replies: ServerReplies) => {
    servers[server] = { ...replies, ...servers[server] };
  };
  for (const [server, tools] of Object.entries(lists)) addReplies(server, { tools: toJson(tools) });
  for (const call of [...(before?.calls.values() ?? [])].flat()) addCall(call);
  for (const [server, replies] of Object.entries(before?.servers ?? {})) addReplies(server, replies);
  return {
    /** Adds a trial. Of the same calls in several trials, the first counts. */
    add: ({
      caseId,
      attempt,
      transcript,
      toolTraffic = [],
    }: Pick<Trial, 'caseId' | 'attempt' | 'transcript' | 'toolTraffic'>) => {
      for (const { server, method, request, reply } of toolTraffic as readonly ToolTraffic[])
        if (reply !== undefined) addReplies(server, { [trafficKey(method, request)]: reply });
      if (attempt === 1)
        recordedCalls(caseId, toolCallsOf(transcript), match).forEach((call) => addCall(redact(call)));
    },
    /** Returns the content of the file. The same calls give the same bytes. */
    finish: (): string => {
      const sorted = [...lines].toSorted(([a], [b]) => (a < b ? -1 : Number(a > b)));
      const text = [canonicalJson({ cassette: 1, servers }), ...sorted.map(([, call]) => writeCall(call))];
      return `${text.join('\n')}\n`;
    },
  };
}

/** Writes a call with sorted keys. Its result has its own order, which the bot may pass on to its model. */
function writeCall(call: RecordedCall): string {
  const members = Object.entries(call).filter(([, value]) => value !== undefined);
  const written = members.map(([key, value]) => {
    const json = key === 'result' || key === 'wire' ? JSON.stringify(value) : canonicalJson(value);
    return `${JSON.stringify(key)}:${json}`;
  });
  return `{${written.sort().join(',')}}`;
}

/** Returns the calls of a trial that a tool or an earlier recording answered, as a cassette has them. */
function recordedCalls(caseId: string, calls: readonly ToolCall[], match: MatchRules): RecordedCall[] {
  const counts = new Map<string, number>();
  return calls.flatMap((call): RecordedCall[] => {
    const { server, name, from, error, withheld, wire, readOnly } = call;
    if (call.observed !== true || (from !== 'tool' && from !== 'cassette')) return [];
    const result = withheld ?? call.result;
    if (result === undefined && error === undefined) return []; // It began, and never ended.
    const { ignore = [] } = ruleOf(match, { server, name });
    const args = withoutPaths(call.arguments ?? {}, ignore);
    const key = `${server ?? ''} ${keyOf(name, { server, arguments: args }, match)}`;
    const nth = (counts.get(key) ?? 0) + 1;
    counts.set(key, nth);
    const outcome = error === undefined || withheld !== undefined ? { result } : { error };
    return [{ case: caseId, server, tool: name, arguments: args, nth, ...outcome, wire, readOnly }];
  });
}

/** A call that is looked for. */
export interface SoughtCall {
  readonly server?: string;
  readonly name: string;
  readonly arguments: Json;
  readonly isReadOnly?: boolean;
}

/** Returns the recorded call that answers the nth equal call of an attempt; undefined when there is none. */
export function findRecorded(
  recorded: readonly RecordedCall[],
  sought: SoughtCall,
  nth: number,
  match: MatchRules,
): RecordedCall | undefined {
  const { server, name } = sought;
  const key = keyOf(name, sought, match);
  const same = recorded.filter(
    (call) => call.tool === name && call.server === server && keyOf(name, call, match) === key,
  );
  const last = same.at(-1);
  const isRepeated = sought.isReadOnly === true || last?.readOnly === true;
  return same.find((call) => call.nth === nth) ?? (isRepeated ? last : undefined);
}

/** Describes a call that is not recorded, with the nearest recorded arguments of the tool. */
export function describeMissing(
  recorded: readonly RecordedCall[],
  { server, name, arguments: args }: SoughtCall,
  nth: number,
): string {
  const write = (value: Json) => JSON.stringify(value);
  const same = recorded.filter((call) => call.tool === name && call.server === server);
  const nearest = same.toSorted((a, b) => distance(a.arguments, args) - distance(b.arguments, args))[0];
  const what = `${name}(${write(args)})${nth > 1 ? `, call ${nth} of these` : ''} is not recorded for this question`;
  return nearest === undefined
    ? `${what}, nor is any call of this tool`
    : `${what}; the nearest is ${name}(${write(nearest.arguments)})`;
}

function distance(a: Json, b: Json): number {
  const [one, other] = [a, b].map((value) =>
    isContainer(value) ? (value as Readonly<Record<string, Json>>) : {},
  ) as [Record<string, Json>, Record<string, Json>];
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].filter((key) => canonicalJson(one[key] ?? null) !== canonicalJson(other[key] ?? null))
    .length;
}
