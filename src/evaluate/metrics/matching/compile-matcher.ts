import { messageOf, TouchstoneError } from '../../../core/errors.ts';
import { testPattern } from '../../../core/lib/exec-pattern.ts';
import { isContainer } from '../../../core/lib/json/is-container.ts';
import { readInstant } from '../../../core/lib/numbers/read-instant.ts';
import type { Json } from '../../../core/schema/json.ts';
import {
  findMatcherFault,
  type MatcherName,
  matcherName,
  type MatcherOf,
} from '../../../core/schema/matcher.ts';
import { compileJsonSchema } from '../compile-json-schema.ts';
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
  formatValue,
} from './expectation.ts';

export type { Mismatch } from './expectation.ts';

/** The rules by which actual values are compared with an expected one. */
export interface MatchOptions {
  /**
   * `exact`: objects have exactly the expected members. `superset`: they may have more. `subset`: they may lack some,
   * but have no others. The mode applies at every depth.
   */
  readonly mode: MatchMode;
  /** Paths to ignore, such as `session.id` or `items[*].price`. */
  readonly ignore?: readonly string[];
  /** The largest allowed distance of each number from the expected one; 0 when absent. */
  readonly tolerance?: number;
  /** `loose`: letter case, punctuation and white space of texts are ignored. */
  readonly text?: 'exact' | 'loose';
}

/** An expected value, compiled for comparison with any number of actual ones. */
export interface Matcher {
  /** Describes what is expected. */
  describe(): string;
  /**
   * Returns every place where an actual value differs; an empty list when it matches. Undefined means that there is no
   * value.
   */
  match(actual: Json | undefined): Mismatch[];
}

/**
 * Compiles an expected value, in which objects with `$`-keys are matchers. Throws a `TouchstoneError` that names the
 * place of a matcher that cannot be used.
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
  $instant: compileInstant,
  $oneOf: compileOneOf,
  $not: compileNot,
  $exact: compileExact,
  $set: compileSet,
  $unordered: compileUnordered,
  $includes: compileIncludes,
};

function compileAt(expected: Json, context: Context): Expectation {
  const isObject = isContainer(expected) && !Array.isArray(expected);
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

/** Compiles `$near`, which expects a number within a distance of another. */
function compileNear(matcher: MatcherOf<'$near'>, { path }: Context): Expectation {
  const { $near, $tolerance: tolerance, $relative: relative } = matcher;
  const describe = () => {
    const distances = [tolerance, relative === undefined ? undefined : `${relative * 100} %`];
    return `${String($near)} ± ${distances.filter((distance) => distance !== undefined).join(' or ')}`;
  };
  return expectWhole(path, describe, (actual) => isNear(actual, $near, { tolerance, relative }));
}

/**
 * `$text`: expects a text that is equal except for letter case, punctuation and white space, or for the listed
 * characters.
 */
function compileText({ $text, $ignoring }: MatcherOf<'$text'>, { path }: Context): Expectation {
  const form = $ignoring === undefined ? looseText : (text: string) => textWithout(text, $ignoring);
  const wanted = form($text);
  return expectWhole(
    path,
    () => `a text like ${formatValue($text)}`,
    (actual) => typeof actual === 'string' && form(actual) === wanted,
  );
}

/** Compiles `$regex`, which expects a text that contains a match of a JavaScript regular expression. */
function compileRegex({ $regex, $flags }: MatcherOf<'$regex'>, { path }: Context): Expectation {
  const expression = new RegExp($regex, $flags);
  return expectWhole(
    path,
    () => `a text that matches ${expression}`,
    (actual) => typeof actual === 'string' && testPattern(expression, actual),
  );
}

/** Compiles `$instant`, which expects a text that states the same instant, in any zone and to any precision. */
function compileInstant({ $instant }: MatcherOf<'$instant'>, { path }: Context): Expectation {
  const wanted = readInstant($instant);
  return expectWhole(
    path,
    () => `the instant ${$instant}`,
    (actual) => typeof actual === 'string' && readInstant(actual) === wanted,
  );
}

/** Compiles `$schema`, which expects a value that is valid by a JSON Schema. Throws what is wrong with the schema. */
function compileSchema({ $schema }: MatcherOf<'$schema'>, { path }: Context): Expectation {
  const check = compileJsonSchema($schema);
  const describe = () => `a value that the JSON Schema ${formatValue($schema)} allows`;
  return {
    describe,
    match: (actual) => {
      const problem = actual === undefined ? 'nothing' : check(actual);
      if (problem === undefined) return [];
      const said = actual === undefined ? problem : `${formatValue(actual)} (${problem})`;
      return [{ path, expected: describe(), actual: said }];
    },
  };
}

/** Compiles `$any`, which expects any value. */
function compileAny(_matcher: MatcherOf<'$any'>, { path }: Context): Expectation {
  return expectWhole(
    path,
    () => 'any value',
    (actual) => actual !== undefined,
  );
}

/** Compiles `$absent`, which expects no value at all. */
function compileAbsent(_matcher: MatcherOf<'$absent'>, { path }: Context): Expectation {
  return expectWhole(
    path,
    () => 'nothing',
    (actual) => actual === undefined,
  );
}

/** Compiles `$oneOf`, which expects a value that satisfies at least one of several expectations. */
function compileOneOf({ $oneOf }: MatcherOf<'$oneOf'>, context: Context): Expectation {
  const choices = $oneOf.map((choice) => context.compile(choice, context));
  const [only, ...others] = choices;
  if (only !== undefined && others.length === 0) return only;
  return expectWhole(
    context.path,
    () => `one of ${listTexts(choices)}`,
    (actual) => choices.some((choice) => satisfies(choice, actual)),
  );
}

/** Compiles `$not`, which expects a value, or none, that does not satisfy an expectation. */
function compileNot({ $not }: MatcherOf<'$not'>, context: Context): Expectation {
  const unwanted = context.compile($not, context);
  return expectWhole(
    context.path,
    () => `not ${unwanted.describe()}`,
    (actual) => !satisfies(unwanted, actual),
  );
}

/** Compiles `$exact`, which expects exactly this value; nothing is ignored and matchers in it have no meaning. */
function compileExact({ $exact }: MatcherOf<'$exact'>, context: Context): Expectation {
  return compileLiteral($exact, {
    ...context,
    mode: 'exact',
    tolerance: 0,
    text: 'exact',
    compile: compileLiteral,
  });
}

/** Compiles `$set`, which expects a list with these members and no others, in any order and any number. */
function compileSet({ $set }: MatcherOf<'$set'>, context: Context): Expectation {
  const members = compileItems($set, context);
  const test = (actual: readonly Json[]) =>
    members.every((member) => actual.some((item) => satisfies(member, item))) &&
    actual.every((item) => members.some((member) => satisfies(member, item)));
  return expectList(context, () => `a list of just ${orNothing(members)}, in any order and number`, test);
}

/** Compiles `$unordered`, which expects a list of these items in any order, each as often as it is listed. */
function compileUnordered({ $unordered }: MatcherOf<'$unordered'>, context: Context): Expectation {
  const wanted = compileItems($unordered, context);
  const test = (actual: readonly Json[]) => {
    if (actual.length !== wanted.length) return false;
    const pairs = wanted.map((expectation) => actual.map((item) => Number(satisfies(expectation, item))));
    return assign(pairs).every((column) => column !== null);
  };
  return expectList(context, () => `a list of ${orNothing(wanted)}, in any order`, test);
}

/** Compiles `$includes`, which expects a list that contains each of these items. */
function compileIncludes({ $includes }: MatcherOf<'$includes'>, context: Context): Expectation {
  const wanted = compileItems($includes, context);
  const test = (actual: readonly Json[]) =>
    wanted.every((expectation) => actual.some((item) => satisfies(expectation, item)));
  return expectList(context, () => `a list that contains ${orNothing(wanted)}`, test);
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

function satisfies(expectation: Expectation, actual: Json | undefined): boolean {
  return expectation.match(actual).length === 0;
}

function orNothing(expectations: readonly Expectation[]): string {
  return expectations.length === 0 ? 'nothing' : listTexts(expectations);
}

function listTexts(expectations: readonly Expectation[]): string {
  return expectations.map((expectation) => expectation.describe()).join(', ');
}
