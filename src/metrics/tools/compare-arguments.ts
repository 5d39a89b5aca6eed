import type { Comparison, CountedCall } from '../../schema/call-pattern.ts';
import type { Json } from '../../schema/json.ts';
import { matcherName } from '../../schema/matcher.ts';
import { compileMatcher, type MatchOptions, type Mismatch } from '../matching/compile-matcher.ts';
import { isRecord, memberPath } from '../matching/expectation.ts';
import { ignoredInside, readIgnoredPaths } from '../matching/ignored-paths.ts';
import { readArguments } from './read-calls.ts';
import { showCall } from './show-call.ts';

/** How many of the arguments of a call are as expected, of those that were expected or given against the rule. */
export interface ArgumentCount {
  readonly right: number;
  readonly total: number;
}

/** Expected arguments, ready to be held against those of actual calls. */
export interface ArgumentComparison {
  match(given: Json): Mismatch[];
  count(given: Json): ArgumentCount;
}

/**
 * Makes a comparison of the arguments that a pattern expects; undefined when it expects none in particular. How they are
 * compared is the pattern's own say, else that of `defaults`.
 */
export function compileArguments(
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
    count: (given) => {
      const mismatches = matcher.match(given);
      if (!isLiteral(expected)) return { right: mismatches.length === 0 ? 1 : 0, total: 1 };
      const keys = Object.keys(expected).filter((key) => ignoredInside(ignored, key) !== null);
      return countMembers(keys, given, mismatches);
    },
  };
}

/** Each member counts once: as wrong when anything inside it is, as right when it is there and nothing is wrong. */
function countMembers(
  expected: readonly string[],
  given: Json,
  mismatches: readonly Mismatch[],
): ArgumentCount {
  const actual = isRecord(given) ? given : {};
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

/** A call with expected arguments on one line. */
export function describeArguments(tool: string, expected: Json): string {
  const textOf = (value: Json) => compileMatcher(value, { mode: 'exact' }).describe();
  return isLiteral(expected) ? showCall(tool, expected, textOf) : `${tool}(${textOf(expected)})`;
}

/** An object that stands for itself, whatever its members are. */
function isLiteral(expected: Json): expected is { [key: string]: Json } {
  return isRecord(expected) && matcherName(expected) === undefined;
}
