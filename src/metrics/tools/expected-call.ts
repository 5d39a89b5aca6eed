import type { CallPattern, Comparison, CountedCall, ExpectedTool } from '../../schema/call-pattern.ts';
import { compileMatcher, type Mismatch } from '../matching/compile-matcher.ts';
import { type ArgumentCount, compileArguments, describeArguments } from './compare-arguments.ts';
import { type ActualCall, readArguments } from './read-calls.ts';

/** An expected call, ready to be held against actual ones. */
export interface ExpectedCall {
  /** How the call is named in explanations. */
  readonly text: string;
  /** How many such calls are expected at least and at most; undefined where the case does not say. */
  readonly times: { readonly least: number; readonly most: number } | undefined;
  /** Whether its rule depends on what became of a call. */
  readonly needsOutcome: boolean;
  /** Whether a call is one of the tool. */
  isOf(call: ActualCall): boolean;
  /** Whether what became of a call is as expected. */
  hasStatus(call: ActualCall): boolean;
  /** Where a call of the tool differs, its status included. */
  differences(call: ActualCall): Mismatch[];
  fits(call: ActualCall): boolean;
  /** Undefined where the arguments do not matter. */
  countArguments(call: ActualCall): ArgumentCount | undefined;
}

/**
 * Makes an expected call of its pattern; how arguments are compared is the pattern's own say, else that of `defaults`.
 * Throws a `TouchstoneError` for a matcher that cannot be used.
 */
export function compileCall(
  pattern: CallPattern | CountedCall | ExpectedTool,
  defaults: Comparison = {},
): ExpectedCall {
  const parts: Exclude<CountedCall, string> = typeof pattern === 'string' ? { name: pattern } : pattern;
  const { name, status } = parts;
  const matchName = compileMatcher(name, { mode: 'exact' });
  const compareArguments = compileArguments(parts, defaults);
  const isOf = (call: ActualCall) => matchName.match(call.name).length === 0;
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
