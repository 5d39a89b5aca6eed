import type { Json } from '../../schema/json.ts';
import type { MatcherOf } from '../../schema/matcher.ts';
import { assign } from './assign.ts';
import { compileLiteral } from './compile-literal.ts';
import { type Context, type Expectation, expectWhole } from './expectation.ts';
import { ignoredInside } from './ignored-paths.ts';

/** `$oneOf`: a value that at least one of several expectations fits. */
export function compileOneOf({ $oneOf }: MatcherOf<'$oneOf'>, context: Context): Expectation {
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
export function compileNot({ $not }: MatcherOf<'$not'>, context: Context): Expectation {
  const unwanted = context.compile($not, context);
  return expectWhole(
    context.path,
    () => `not ${unwanted.describe()}`,
    (actual) => !fits(unwanted, actual),
  );
}

/** `$exact`: just this value, with nothing more or less and no matchers in it. */
export function compileExact({ $exact }: MatcherOf<'$exact'>, context: Context): Expectation {
  return compileLiteral($exact, {
    ...context,
    mode: 'exact',
    tolerance: 0,
    text: 'exact',
    compile: compileLiteral,
  });
}

/** `$set`: a list with these members and no others, in any order and however often each. */
export function compileSet({ $set }: MatcherOf<'$set'>, context: Context): Expectation {
  const members = compileItems($set, context);
  const test = (actual: readonly Json[]) =>
    members.every((member) => actual.some((item) => fits(member, item))) &&
    actual.every((item) => members.some((member) => fits(member, item)));
  return expectList(context, () => `a list of just ${orNothing(members)}, in any order and number`, test);
}

/** `$unordered`: a list of these items in any order, each as often as it is expected. */
export function compileUnordered({ $unordered }: MatcherOf<'$unordered'>, context: Context): Expectation {
  const wanted = compileItems($unordered, context);
  const test = (actual: readonly Json[]) => {
    if (actual.length !== wanted.length) return false;
    const pairs = wanted.map((expectation) => actual.map((item) => Number(fits(expectation, item))));
    return assign(pairs).every((column) => column !== null);
  };
  return expectList(context, () => `a list of ${orNothing(wanted)}, in any order`, test);
}

/** `$includes`: a list in which each of these is found. */
export function compileIncludes({ $includes }: MatcherOf<'$includes'>, context: Context): Expectation {
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
