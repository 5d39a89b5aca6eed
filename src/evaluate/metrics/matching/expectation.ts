import { TouchstoneError } from '../../../core/errors.ts';
import { isContainer } from '../../../core/lib/json/is-container.ts';
import { pathSteps } from '../../../core/lib/objects.ts';
import { shorten } from '../../../core/lib/text/terminal-text.ts';
import type { Json } from '../../../core/schema/json.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';

/** One place where a value is not as expected, with texts for a report. */
export interface Mismatch {
  /** The path to the place, such as `passengers[0].age`; empty for the value itself. */
  readonly path: string;
  readonly expected: string;
  /** The actual value as text; `nothing` when there is none. */
  readonly actual: string;
}

/** The members that an object may lack or have in addition to the expected ones; see `MatchOptions`. */
export type MatchMode = 'exact' | 'subset' | 'superset';

/** A compiled expected value. */
export interface Expectation {
  /** Describes what is expected. */
  describe(): string;
  /**
   * Returns every place where the actual value differs; an empty list when it is as expected. Undefined means that
   * there is no value.
   */
  match(actual: Json | undefined): Mismatch[];
}

/** The place of a value and the rules by which it is compared. */
export interface Context {
  readonly path: string;
  readonly mode: MatchMode;
  readonly ignored: IgnoredPaths;
  /** The largest allowed distance of a number from the expected one. */
  readonly tolerance: number;
  readonly text: 'exact' | 'loose';
  /** Compiles a value inside this one. */
  compile(expected: Json, context: Context): Expectation;
}

const shownColumns = 80;

/** Formats a value as JSON on one line, shortened and safe to print; `nothing` when there is none. */
export function formatValue(value: Json | undefined): string {
  return value === undefined ? 'nothing' : shorten(JSON.stringify(value), shownColumns);
}

const longestText = 160;

/** Shortens a description to a length that fits a report. */
function shortenText(text: string): string {
  return shorten(text, longestText);
}

/**
 * Returns the difference between a whole value and what is expected of it. Its texts are made only when they are read,
 * because few of the many compared calls are reported.
 */
export function mismatch(path: string, describe: () => string, actual: Json | undefined): Mismatch {
  return {
    path,
    get expected() {
      return shortenText(describe());
    },
    get actual() {
      return formatValue(actual);
    },
  };
}

/** Creates an expectation from a test that a value passes or fails as a whole. */
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

/** Returns the path to a member of an object: `a` then `b` is `a.b`, then `c d` is `a.b["c d"]`. */
export function memberPath(path: string, key: string): string {
  if (!/^[^\s.[\]'"]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** Returns whether a value is an object with members: neither null nor a list. */
export function isRecord(value: Json | undefined): value is { [key: string]: Json } {
  return isContainer(value) && !Array.isArray(value);
}

/** Paths inside a value to ignore, each as its remaining steps; `*` means any step. */
export type IgnoredPaths = readonly (readonly string[])[];

/** Parses paths such as `session.id` and `items[*].price`. */
export function readIgnoredPaths(paths: readonly string[] = []): IgnoredPaths {
  return paths.map(pathSteps).filter((steps) => steps.length > 0);
}

/** Returns the paths to ignore inside a member; null when the member itself is ignored. */
export function ignoredInside(ignored: IgnoredPaths, step: string): IgnoredPaths | null {
  const inside = ignored.filter(([first]) => first === step || first === '*').map((steps) => steps.slice(1));
  return inside.some((steps) => steps.length === 0) ? null : inside;
}

/** Returns the computed verdict, or `failed` when a matcher of the case turns out to be unusable. */
export function failIfUnusable(compute: () => Verdict): Verdict {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof TouchstoneError)) throw error;
    return { status: 'failed', code: 'matcher-invalid', reason: error.message };
  }
}
