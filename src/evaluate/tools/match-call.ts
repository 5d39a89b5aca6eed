import { compileGlob } from '../../core/lib/compile-glob.ts';
import { canonicalJson } from '../../core/lib/content-hash.ts';
import { isContainer } from '../../core/lib/json/is-container.ts';
import { pathSteps } from '../../core/lib/objects.ts';
import type { CallPattern, Comparison } from '../../core/schema/expected-calls.ts';
import type { Json } from '../../core/schema/json.ts';
import type { ToolResult } from '../../core/schema/tools/tool-result.ts';
import { looseText } from '../metrics/matching/compile-literal.ts';
import { compileMatcher } from '../metrics/matching/compile-matcher.ts';
import { functionsName } from './tools-setting.ts';

/** The parts of a call that it is matched by. */
export interface MatchedCall {
  readonly server?: string;
  readonly name: string;
  readonly arguments: Json;
}

/** A test of calls. */
export type CallTest = (call: MatchedCall) => boolean;

/** Compiles a pattern for the names of tools, in which `*` is any text. It may begin with the name of a server and a dot, or with `functions.`. */
export function compileToolName(pattern: string): CallTest {
  const matches = compileGlob(pattern, { ignoreCase: false });
  return ({ name, server }) =>
    matches(name) || (server !== undefined && matches(`${server || functionsName}.${name}`));
}

function compileValue(
  expected: Json | undefined,
  { match, ...rules }: Comparison = {},
): (value: Json) => boolean {
  if (expected === undefined) return () => true;
  const matcher = compileMatcher(expected, { mode: match ?? 'exact', ...rules });
  return (value) => matcher.match(value).length === 0;
}

/** Compiles the test of the calls that a prepared result answers. Throws `matcher-invalid`. */
export function compileResultTest({ name, server, arguments: expected, ...rules }: ToolResult): CallTest {
  const { match, ignore, tolerance, text } = rules;
  const hasName = compileToolName(name);
  const hasArguments = compileValue(expected, { match, ignore, tolerance, text });
  return (call) =>
    hasName(call) &&
    (server === undefined || server === (call.server || functionsName)) &&
    hasArguments(call.arguments);
}

/**
 * Compiles the test of the calls that a pattern of `mustNot` forbids; undefined for one that depends on the outcome of the call.
 */
export function compileForbidden(pattern: CallPattern): CallTest | undefined {
  if (typeof pattern === 'string') return compileToolName(pattern);
  const { name, arguments: expected, status, match, ignore, tolerance, text } = pattern;
  if (status !== undefined) return undefined;
  const isNamed = compileValue(name);
  const hasName: CallTest = typeof name === 'string' ? compileToolName(name) : (call) => isNamed(call.name);
  const hasArguments = compileValue(expected, { match, ignore, tolerance, text });
  return (call) => hasName(call) && hasArguments(call.arguments);
}

/**
 * Returns the text by which calls of one tool are the same: sorted keys, digits as written, texts in NFC, without what the rule of
 * the tool ignores.
 */
export function argumentsKey(args: Json, { ignore = [], text }: Comparison = {}): string {
  const kept = withoutPaths(args, ignore);
  return canonicalJson(text === 'loose' ? mapTexts(kept, looseText) : kept).normalize('NFC');
}

/** Returns arguments without what the rule of their tool ignores. */
export function withoutPaths(args: Json, ignore: readonly string[]): Json {
  return ignore.map(pathSteps).reduce(withoutPath, args);
}

function withoutPath(value: Json, [step, ...rest]: readonly string[]): Json {
  if (step === undefined || !isContainer(value)) return value;
  const members = Object.entries(value).flatMap(([key, member]): [string, Json][] => {
    if (key !== step && step !== '*') return [[key, member]];
    return rest.length === 0 ? [] : [[key, withoutPath(member, rest)]];
  });
  return Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members);
}

function mapTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (!isContainer(value)) return value;
  const members = Object.entries(value).map(([key, member]): [string, Json] => [
    key,
    mapTexts(member, change),
  ]);
  return Array.isArray(value) ? members.map(([, member]) => member) : Object.fromEntries(members);
}
