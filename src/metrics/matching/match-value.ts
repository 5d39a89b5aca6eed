import { testPattern } from '../../lib/exec-pattern.ts';
import { compileJsonSchema } from '../values/compile-json-schema.ts';
import type { MatcherOf } from '../../schema/matcher.ts';
import { type Context, type Expectation, expectWhole, showValue } from './expectation.ts';
import { isNear } from './is-near.ts';
import { looseText, textWithout } from './loose-text.ts';

/** `$near`: a number at most so far from another. */
export function compileNear(matcher: MatcherOf<'$near'>, { path }: Context): Expectation {
  const { $near, $tolerance: tolerance, $relative: relative } = matcher;
  const describe = () => {
    const distances = [tolerance, relative === undefined ? undefined : `${relative * 100} %`];
    return `${$near} ± ${distances.filter((distance) => distance !== undefined).join(' or ')}`;
  };
  return expectWhole(path, describe, (actual) => isNear(actual, $near, { tolerance, relative }));
}

/** `$text`: a text that is the same but for letter case, punctuation and white space, or but for listed characters. */
export function compileText({ $text, $ignoring }: MatcherOf<'$text'>, { path }: Context): Expectation {
  const form = $ignoring === undefined ? looseText : (text: string) => textWithout(text, $ignoring);
  const wanted = form($text);
  return expectWhole(
    path,
    () => `a text like ${showValue($text)}`,
    (actual) => typeof actual === 'string' && form(actual) === wanted,
  );
}

/** `$regex`: a text in which a JavaScript regular expression matches somewhere. */
export function compileRegex({ $regex, $flags }: MatcherOf<'$regex'>, { path }: Context): Expectation {
  const expression = new RegExp($regex, $flags);
  return expectWhole(
    path,
    () => `a text that matches ${expression}`,
    (actual) => typeof actual === 'string' && testPattern(expression, actual),
  );
}

/** `$schema`: a value that a JSON Schema allows. Throws what is wrong with the schema. */
export function compileSchema({ $schema }: MatcherOf<'$schema'>, { path }: Context): Expectation {
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
export function compileAny(_matcher: MatcherOf<'$any'>, { path }: Context): Expectation {
  return expectWhole(
    path,
    () => 'any value',
    (actual) => actual !== undefined,
  );
}

/** `$absent`: no value at all. */
export function compileAbsent(_matcher: MatcherOf<'$absent'>, { path }: Context): Expectation {
  return expectWhole(
    path,
    () => 'nothing',
    (actual) => actual === undefined,
  );
}
