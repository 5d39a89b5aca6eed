import { TouchstoneError } from '../../errors.ts';
import { pathSteps } from '../../lib/objects.ts';
import { shorten } from '../../lib/text/terminal-text.ts';
import type { Json } from '../../schema/json.ts';
import type { Verdict } from '../../schema/verdict.ts';

/** One place where a value is not what was expected, in texts fit for a report. */
export interface Mismatch {
  /** Steps to the place, such as `passengers[0].age`; empty for the value itself. */
  readonly path: string;
  readonly expected: string;
  /** What stood there; `nothing` where nothing did. */
  readonly actual: string;
}

/** What may be missing or more in an object beside what is expected of it; see `MatchOptions`. */
export type MatchMode = 'exact' | 'subset' | 'superset';

/** An expected value, ready to be held against actual ones. */
export interface Expectation {
  /** What is expected, in words. */
  describe(): string;
  /** Where the actual value differs; none where it is as expected. Undefined stands for a value that is not there. */
  match(actual: Json | undefined): Mismatch[];
}

/** How the value at a place is compared. */
export interface Context {
  readonly path: string;
  readonly mode: MatchMode;
  readonly ignored: IgnoredPaths;
  /** How far a number may be from the expected one. */
  readonly tolerance: number;
  readonly text: 'exact' | 'loose';
  /** Makes the expectation of a value inside this one. */
  compile(expected: Json, context: Context): Expectation;
}

const shownColumns = 80;

/** A value as JSON on one line, shortened and safe to print; `nothing` for one that is not there. */
export function showValue(value: Json | undefined): string {
  return value === undefined ? 'nothing' : shorten(JSON.stringify(value), shownColumns);
}

const longestText = 160;

/** Words for what is expected, of a length that fits a report. */
function shortenText(text: string): string {
  return shorten(text, longestText);
}

/**
 * The difference between a value as a whole and what is expected of it. Its texts are made when they are read: of many
 * calls that are compared, few are told of.
 */
export function mismatch(path: string, describe: () => string, actual: Json | undefined): Mismatch {
  return {
    path,
    get expected() {
      return shortenText(describe());
    },
    get actual() {
      return showValue(actual);
    },
  };
}

/** Makes an expectation of a test that a value passes or not as a whole. */
export function expectWhole(
  path: string,
  describe: () => string,
  test: (actual: Json | undefined) => boolean,
): Expectation {
  return {
    describe,
    match: (actual) => (test(actual) ? [] : [mismatch(path, describe, actual)]),
  };
}

/** The path to a member of an object: `a` then `b` is `a.b`, then `c d` is `a.b["c d"]`. */
export function memberPath(path: string, key: string): string {
  if (!/^[^\s.[\]'"]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** Whether a value is an object with members: neither null nor a list. */
export function isRecord(value: Json | undefined): value is { [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Paths inside a value that do not count, each as the steps that are still to go; `*` is any step. */
export type IgnoredPaths = readonly (readonly string[])[];

/** Reads paths such as `session.id` and `items[*].price`. */
export function readIgnoredPaths(paths: readonly string[] = []): IgnoredPaths {
  return paths.map(pathSteps).filter((steps) => steps.length > 0);
}

/** What is ignored inside a member; null when the member itself is. */
export function ignoredInside(ignored: IgnoredPaths, step: string): IgnoredPaths | null {
  const inside = ignored.filter(([first]) => first === step || first === '*').map((steps) => steps.slice(1));
  return inside.some((steps) => steps.length === 0) ? null : inside;
}

/** The verdict that is computed; `failed` where a matcher of the case turns out to be unusable. */
export function unlessUnusable(compute: () => Verdict): Verdict {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof TouchstoneError)) throw error;
    return { status: 'failed', code: 'matcher-invalid', reason: error.message };
  }
}
