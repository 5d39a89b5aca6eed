import { messageOf, TouchstoneError } from '../../errors.ts';
import { testPattern } from '../../lib/exec-pattern.ts';
import type { Json } from '../../schema/json.ts';
import { findMatcherFault, type MatcherName, matcherName, type MatcherOf } from '../../schema/matcher.ts';
import { compileJsonSchema } from '../values/compile-json-schema.ts';
import { assign } from './assign.ts';
import { compileLiteral, isNear, looseText, textWithout } from './compile-literal.ts';
import {
  type Context,
  type Expectation,
  expectWhole,
  ignoredInside,
  type MatchMode,
  memberPath,
  type Mismatch,
  readIgnoredPaths,
  showValue,
} from './expectation.ts';

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

/** `$near`: a number at most so far from another. */
function compileNear(matcher: MatcherOf<'$near'>, { path }: Context): Expectation {
  const { $near, $tolerance: tolerance, $relative: relative } = matcher;
  const describe = () => {
    const distances = [tolerance, relative === undefined ? undefined : `${relative * 100} %`];
    return `${$near} ± ${distances.filter((distance) => distance !== undefined).join(' or ')}`;
  };
  return expectWhole(path, describe, (actual) => isNear(actual, $near, { tolerance, relative }));
}

/** `$text`: a text that is the same but for letter case, punctuation and white space, or but for listed characters. */
function compileText({ $text, $ignoring }: MatcherOf<'$text'>, { path }: Context): Expectation {
  const form = $ignoring === undefined ? looseText : (text: string) => textWithout(text, $ignoring);
  const wanted = form($text);
  return expectWhole(
    path,
    () => `a text like ${showValue($text)}`,
    (actual) => typeof actual === 'string' && form(actual) === wanted,
  );
}

/** `$regex`: a text in which a JavaScript regular expression matches somewhere. */
function compileRegex({ $regex, $flags }: MatcherOf<'$regex'>, { path }: Context): Expectation {
  const expression = new RegExp($regex, $flags);
  return expectWhole(
    path,
    () => `a text that matches ${expression}`,
    (actual) => typeof actual === 'string' && testPattern(expression, actual),
  );
}

/** `$schema`: a value that a JSON Schema allows. Throws what is wrong with the schema. */
function compileSchema({ $schema }: MatcherOf<'$schema'>, { path }: Context): Expectation {
  const check = compileJsonSchema($schema);
  const describe = () => `a value that the JSON Schema ${showValue($schema)} allows`;
  return {
    describe,
    match: (actual) => {
      const problem = actual === undefined ? 'nothing' : check(actual);
      if (problem === undefined) return [];
      const said = actual === undefined ? problem : `${showValue(actual)} (${problem})`;
      return [{ path, expected: describe(), actual: said }];
    },
  };
}

/** `$any`: a value, whichever. */
function compileAny(_matcher: MatcherOf<'$any'>, { path }: Context): Expectation {
  return expectWhole(
    path,
    () => 'any value',
    (actual) => actual !== undefined,
  );
}

/** `$absent`: no value at all. */
function compileAbsent(_matcher: MatcherOf<'$absent'>, { path }: Context): Expectation {
  return expectWhole(
    path,
    () => 'nothing',
    (actual) => actual === undefined,
  );
}

/** `$oneOf`: a value that at least one of several expectations fits. */
function compileOneOf({ $oneOf }: MatcherOf<'$oneOf'>, context: Context): Expectation {
  const choices = $oneOf.map((choice) => context.compile(choice, context));
  const [only, ...others] = choices;
  if (only !== undefined && others.length === 0) return only;
  return expectWhole(
    context.path,
    () => `one of ${listTexts(choices)}`,
    (actual) => choices.some((choice) => fits(choice, actual)),
  );
}

/** `$not`: a value, or none, that an expectation does not fit. */
function compileNot({ $not }: MatcherOf<'$not'>, context: Context): Expectation {
  const unwanted = context.compile($not, context);
  return expectWhole(
    context.path,
    () => `not ${unwanted.describe()}`,
    (actual) => !fits(unwanted, actual),
  );
}

/** `$exact`: just this value, with nothing more or less and no matchers in it. */
function compileExact({ $exact }: MatcherOf<'$exact'>, context: Context): Expectation {
  return compileLiteral($exact, {
    ...context,
    mode: 'exact',
    tolerance: 0,
    text: 'exact',
    compile: compileLiteral,
  });
}

/** `$set`: a list with these members and no others, in any order and however often each. */
function compileSet({ $set }: MatcherOf<'$set'>, context: Context): Expectation {
  const members = compileItems($set, context);
  const test = (actual: readonly Json[]) =>
    members.every((member) => actual.some((item) => fits(member, item))) &&
    actual.every((item) => members.some((member) => fits(member, item)));
  return expectList(context, () => `a list of just ${orNothing(members)}, in any order and number`, test);
}

/** `$unordered`: a list of these items in any order, each as often as it is expected. */
function compileUnordered({ $unordered }: MatcherOf<'$unordered'>, context: Context): Expectation {
  const wanted = compileItems($unordered, context);
  const test = (actual: readonly Json[]) => {
    if (actual.length !== wanted.length) return false;
    const pairs = wanted.map((expectation) => actual.map((item) => Number(fits(expectation, item))));
    return assign(pairs).every((column) => column !== null);
  };
  return expectList(context, () => `a list of ${orNothing(wanted)}, in any order`, test);
}

/** `$includes`: a list in which each of these is found. */
function compileIncludes({ $includes }: MatcherOf<'$includes'>, context: Context): Expectation {
  const wanted = compileItems($includes, context);
  const test = (actual: readonly Json[]) =>
    wanted.every((expectation) => actual.some((item) => fits(expectation, item)));
  return expectList(context, () => `a list that holds ${orNothing(wanted)}`, test);
}

function compileItems(items: readonly Json[], context: Context): Expectation[] {
  const inside = {
    ...context,
    path: `${context.path}[*]`,
    ignored: ignoredInside(context.ignored, '*') ?? [],
  };
  return items.map((item) => context.compile(item, inside));
}

function expectList(
  { path }: Context,
  describe: () => string,
  test: (actual: readonly Json[]) => boolean,
): Expectation {
  return expectWhole(path, describe, (actual) => Array.isArray(actual) && test(actual));
}

function fits(expectation: Expectation, actual: Json | undefined): boolean {
  return expectation.match(actual).length === 0;
}

function orNothing(expectations: readonly Expectation[]): string {
  return expectations.length === 0 ? 'nothing' : listTexts(expectations);
}

function listTexts(expectations: readonly Expectation[]): string {
  return expectations.map((expectation) => expectation.describe()).join(', ');
}
