import type {
  CallPattern,
  Comparison,
  CountedCall,
  ExpectedTool,
} from '../../../core/schema/expected-calls.ts';
import type { Json } from '../../../core/schema/json.ts';
import { matcherName } from '../../../core/schema/matcher.ts';
import { compileMatcher, type MatchOptions, type Mismatch } from '../matching/compile-matcher.ts';
import { ignoredInside, isRecord, memberPath, readIgnoredPaths } from '../matching/expectation.ts';
import { type ActualCall, readArguments } from './read-calls.ts';
import { formatCall } from './format-call.ts';

/** A compiled expected call. */
export interface ExpectedCall {
  /** The text that names the call in explanations. */
  readonly text: string;
  /** The least and greatest number of such calls; undefined when the case states none. */
  readonly times: { readonly least: number; readonly most: number } | undefined;
  /** True when the expectation depends on the outcome of a call. */
  readonly needsOutcome: boolean;
  /** Returns whether a call is of the expected tool. */
  isOf(call: ActualCall): boolean;
  /** Returns whether the outcome of a call is as expected. */
  hasStatus(call: ActualCall): boolean;
  /** Returns the differences of a call of the tool, including its status. */
  differences(call: ActualCall): Mismatch[];
  fits(call: ActualCall): boolean;
  /** Returns how many arguments are right; undefined when the arguments do not matter. */
  countArguments(call: ActualCall): ArgumentCount | undefined;
}

/**
 * Compiles an expected call from its pattern. The comparison of arguments that the pattern states takes precedence over
 * `defaults`. Throws a `TouchstoneError` for a matcher that cannot be used.
 */
export function compileCall(
  pattern: CallPattern | CountedCall | ExpectedTool,
  defaults: Comparison = {},
): ExpectedCall {
  const parts: Exclude<CountedCall, string> = typeof pattern === 'string' ? { name: pattern } : pattern;
  const { name, status } = parts;
  const matchName = compileMatcher(name, { mode: 'exact' });
  const compareArguments = compileArguments(parts, defaults);
  // A case may state the full name of a tool, too; a matcher is for the plain one.
  const isOf = (call: ActualCall) =>
    matchName.match(call.name).length === 0 ||
    (call.fullName !== undefined && typeof name === 'string' && matchName.match(call.fullName).length === 0);
  const differences = (call: ActualCall) => [
    ...(compareArguments?.match(call.arguments) ?? []),
    ...differenceOfStatus(status, call),
  ];
  return {
    get text() {
      return describePattern(parts, matchName.describe());
    },
    times: readTimes(parts.times),
    needsOutcome: status !== undefined,
    isOf,
    hasStatus: (call) => differenceOfStatus(status, call).length === 0,
    differences,
    fits: (call) => isOf(call) && differences(call).length === 0,
    countArguments: (call) => compareArguments?.count(call.arguments),
  };
}

function differenceOfStatus(status: 'ok' | 'failed' | 'retried' | undefined, call: ActualCall): Mismatch[] {
  const { outcome, isRetried } = call;
  if (status === undefined || (status === 'retried' ? isRetried : outcome === status)) return [];
  const actual = isRetried ? 'retried' : outcome;
  return [{ path: 'its status', expected: status, actual }];
}

function readTimes(times: Exclude<CountedCall, string>['times']): ExpectedCall['times'] {
  if (times === undefined) return undefined;
  if (typeof times === 'number') return { least: times, most: times };
  return { least: times.min ?? 0, most: times.max ?? Number.POSITIVE_INFINITY };
}

function describePattern(
  { name, arguments: expected, status }: Exclude<CountedCall, string>,
  nameText: string,
): string {
  const tool = typeof name === 'string' ? name : `a tool named ${nameText}`;
  const call = expected === undefined ? tool : describeArguments(tool, readArguments(expected));
  return status === undefined ? call : `${call} [${status}]`;
}

/**
 * The number of right arguments of a call, out of all that were expected or that were given although the mode forbids
 * them.
 */
export interface ArgumentCount {
  readonly right: number;
  readonly total: number;
}

/** Compiled expected arguments. */
interface ArgumentComparison {
  match(args: Json): Mismatch[];
  count(args: Json): ArgumentCount;
}

/**
 * Compiles the arguments that a pattern expects; undefined when it expects none in particular. The comparison that the
 * pattern states takes precedence over `defaults`.
 */
function compileArguments(
  { arguments: written, match, ignore, tolerance, text }: Exclude<CountedCall, string>,
  defaults: Comparison,
): ArgumentComparison | undefined {
  if (written === undefined) return undefined;
  const expected = readArguments(written);
  const options: MatchOptions = {
    mode: match ?? defaults.match ?? 'exact',
    ignore: ignore ?? defaults.ignore,
    tolerance: tolerance ?? defaults.tolerance,
    text: text ?? defaults.text,
  };
  const matcher = compileMatcher(expected, options);
  const ignored = readIgnoredPaths(options.ignore);
  return {
    match: matcher.match,
    count: (args) => {
      const mismatches = matcher.match(args);
      if (!isLiteral(expected)) return { right: mismatches.length === 0 ? 1 : 0, total: 1 };
      const keys = Object.keys(expected).filter((key) => ignoredInside(ignored, key) !== null);
      return countMembers(keys, args, mismatches);
    },
  };
}

/** Counts each member once: wrong when anything inside it differs, right when it is there and nothing differs. */
function countMembers(
  expected: readonly string[],
  args: Json,
  mismatches: readonly Mismatch[],
): ArgumentCount {
  const actual = isRecord(args) ? args : {};
  const isWrong = (key: string) => {
    const member = memberPath('', key);
    return mismatches.some(({ path }) => path === '' || startsAt(path, member));
  };
  const keys = [...new Set([...expected, ...Object.keys(actual)])];
  const wrong = keys.filter(isWrong).length;
  const right = expected.filter((key) => Object.hasOwn(actual, key) && !isWrong(key)).length;
  return { right, total: right + wrong };
}

function startsAt(path: string, member: string): boolean {
  return path.startsWith(member) && ['', '.', '['].includes(path.charAt(member.length));
}

/** Formats a call with expected arguments on one line. */
function describeArguments(tool: string, expected: Json): string {
  const textOf = (value: Json) => compileMatcher(value, { mode: 'exact' }).describe();
  return isLiteral(expected) ? formatCall(tool, expected, textOf) : `${tool}(${textOf(expected)})`;
}

/** Returns whether an expected value is an object that is meant literally. */
function isLiteral(expected: Json): expected is { [key: string]: Json } {
  return isRecord(expected) && matcherName(expected) === undefined;
}
