import { messageOf, TouchstoneError } from '../../errors.ts';
import type { Json } from '../../schema/json.ts';
import { findMatcherFault, type MatcherName, type MatcherOf, matcherName } from '../../schema/matcher.ts';
import { compileLiteral } from './compile-literal.ts';
import { type Context, type Expectation, type MatchMode, type Mismatch, memberPath } from './expectation.ts';
import { readIgnoredPaths } from './ignored-paths.ts';
import {
  compileExact,
  compileIncludes,
  compileNot,
  compileOneOf,
  compileSet,
  compileUnordered,
} from './match-nested.ts';
import {
  compileAbsent,
  compileAny,
  compileNear,
  compileRegex,
  compileSchema,
  compileText,
} from './match-value.ts';

export type { Mismatch } from './expectation.ts';

/** How actual values are held against an expected one. */
export interface MatchOptions {
  /**
   * `exact`: objects have just the expected members. `superset`: the actual ones may have more. `subset`: they may lack
   * some, but have no others. Holds at every depth.
   */
  readonly mode: MatchMode;
  /** Paths that do not count, such as `session.id` or `items[*].price`. */
  readonly ignore?: readonly string[] | undefined;
  /** How far each number may be from the expected one; 0 when left out. */
  readonly tolerance?: number | undefined;
  /** `loose`: letter case, punctuation and white space of texts do not count. */
  readonly text?: 'exact' | 'loose' | undefined;
}

/** An expected value with the words for it, to be held against any number of actual ones. */
export interface Matcher {
  /** What is expected, in words. */
  describe(): string;
  /** Where an actual value differs; an empty list when it matches. Undefined is a value that is not there. */
  match(actual: Json | undefined): Mismatch[];
}

/**
 * Makes a matcher of an expected value, in which objects with `$`-keys stand for many values. Throws a
 * `TouchstoneError` that names the place of one that cannot be used.
 */
export function compileMatcher(expected: Json, options: MatchOptions): Matcher {
  const fault = findMatcherFault(expected);
  if (fault !== undefined)
    throw unusable(fault.path.reduce<string>(joinStep, ''), `expected ${fault.message}`);
  return compileAt(expected, {
    path: '',
    mode: options.mode,
    ignored: readIgnoredPaths(options.ignore),
    tolerance: options.tolerance ?? 0,
    text: options.text ?? 'exact',
    compile: compileAt,
  });
}

type Compilers = {
  readonly [Name in MatcherName]: (matcher: MatcherOf<Name>, context: Context) => Expectation;
};

const compilers: Compilers = {
  $near: compileNear,
  $text: compileText,
  $regex: compileRegex,
  $schema: compileSchema,
  $any: compileAny,
  $absent: compileAbsent,
  $oneOf: compileOneOf,
  $not: compileNot,
  $exact: compileExact,
  $set: compileSet,
  $unordered: compileUnordered,
  $includes: compileIncludes,
};

function compileAt(expected: Json, context: Context): Expectation {
  const isObject = typeof expected === 'object' && expected !== null && !Array.isArray(expected);
  const name = isObject ? matcherName(expected) : undefined;
  if (name === undefined || name === 'unknown') return compileLiteral(expected, context);
  try {
    return (compilers[name] as (matcher: Json, context: Context) => Expectation)(expected, context);
  } catch (error) {
    throw error instanceof TouchstoneError ? error : unusable(context.path, messageOf(error));
  }
}

function joinStep(path: string, step: string | number): string {
  return typeof step === 'number' ? `${path}[${step}]` : memberPath(path, step);
}

function unusable(path: string, problem: string): TouchstoneError {
  const place = path === '' ? 'the expected value' : `\`${path}\` of the expected value`;
  return new TouchstoneError('matcher-invalid', `The matcher at ${place} cannot be used: ${problem}.`, {
    remedy: 'Correct the matcher; write { "$exact": … } around a value whose own keys begin with $.',
  });
}
