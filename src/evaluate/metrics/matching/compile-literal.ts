import { type ExactNumber, isNumber, isSameNumber } from '../../../core/lib/json/exact-number.ts';
import { composed, isSameText, memberNamed } from '../../../core/lib/json/same-text.ts';
import { foldForComparison } from '../../../core/lib/text/fold.ts';
import type { Json } from '../../../core/schema/json.ts';
import {
  type Context,
  type Expectation,
  expectWhole,
  ignoredInside,
  isRecord,
  memberPath,
  type Mismatch,
  mismatch,
  formatValue,
} from './expectation.ts';

/** Compiles an expected value that is meant literally. */
export function compileLiteral(expected: Json, context: Context): Expectation {
  if (Array.isArray(expected)) return compileList(expected, context);
  if (isRecord(expected)) return compileObject(expected, context);
  return compileScalar(expected, context);
}

function compileScalar(expected: Json, context: Context): Expectation {
  const { path, tolerance } = context;
  if (isNumber(expected) && tolerance > 0) {
    return expectWhole(
      path,
      () => `${String(expected)} ± ${tolerance}`,
      (actual) => isNear(actual, expected, { tolerance }),
    );
  }
  if (typeof expected === 'string' && context.text === 'loose') {
    const wanted = looseText(expected);
    return expectWhole(
      path,
      () => formatValue(expected),
      (actual) => typeof actual === 'string' && looseText(actual) === wanted,
    );
  }
  return expectWhole(
    path,
    () => formatValue(expected),
    (actual) => isSameScalar(actual, expected),
  );
}

/** Returns whether a value is an expected one: numbers digit by digit, texts in any form of Unicode. */
function isSameScalar(actual: Json | undefined, expected: Json): boolean {
  if (actual === expected) return true;
  if (typeof actual === 'string' && typeof expected === 'string') return isSameText(actual, expected);
  return isNumber(actual) && isNumber(expected) && isSameNumber(actual, expected);
}

/** Expects a list of the same length with each item as expected, in the same order. */
function compileList(expected: readonly Json[], context: Context): Expectation {
  const { path } = context;
  const items = expected.map((item, index) => {
    const ignored = ignoredInside(context.ignored, String(index));
    const inside = { ...context, path: `${path}[${index}]` };
    return ignored === null ? undefined : context.compile(item, { ...inside, ignored });
  });
  const describe = () => `[${items.map((item) => item?.describe() ?? 'any value').join(', ')}]`;
  return {
    describe,
    match: (actual) => {
      if (!Array.isArray(actual) || actual.length !== expected.length) {
        return [mismatch(path, describe, actual)];
      }
      return items.flatMap((item, index) => item?.match(actual[index]) ?? []);
    },
  };
}

/** Expects an object with the given members; the mode of the context decides which may be missing or additional. */
function compileObject(expected: Readonly<Record<string, Json>>, context: Context): Expectation {
  const { path, mode, ignored } = context;
  const members = new Map<string, Expectation>();
  for (const [key, value] of Object.entries(expected)) {
    const inside = ignoredInside(ignored, key);
    if (inside === null) continue;
    members.set(key, context.compile(value, { ...context, path: memberPath(path, key), ignored: inside }));
  }
  const names = new Set(Array.from(members.keys(), composed));
  const isExpected = (key: string) => members.has(key) || names.has(composed(key));
  const unexpectedIn = (actual: Readonly<Record<string, Json>>): Mismatch[] =>
    Object.keys(actual)
      .filter((key) => actual[key] !== undefined && !isExpected(key) && ignoredInside(ignored, key) !== null)
      .map((key) => mismatch(memberPath(path, key), () => 'nothing', actual[key]));
  const describe = () => describeMembers(members);
  return {
    describe,
    match: (actual) => {
      if (!isRecord(actual)) return [mismatch(path, describe, actual)];
      const wrong = Array.from(members, ([key, member]) => {
        const value = memberNamed(actual, key);
        return value === undefined && mode === 'subset' ? [] : member.match(value);
      }).flat();
      return mode === 'superset' ? wrong : [...wrong, ...unexpectedIn(actual)];
    },
  };
}

/** Describes an object: `{city: "Paris", nights: 2 ± 1}`. */
function describeMembers(members: ReadonlyMap<string, Expectation>): string {
  const shown = Array.from(members, ([key, member]) => `${memberPath('', key)}: ${member.describe()}`);
  return `{${shown.join(', ')}}`;
}

/** The largest allowed distance from an expected number: absolute, and as a share of the expected number. */
interface Nearness {
  readonly tolerance?: number;
  readonly relative?: number;
}

// 1.1 is 0.1 away from 1, and slightly more in binary.
const roundingSlack = 1 + 1e-9;

/** Returns whether a value is a number within at least one of two distances of the expected number, inclusive. */
export function isNear(
  actual: Json | undefined,
  expected: number | ExactNumber,
  { tolerance = 0, relative = 0 }: Nearness,
): boolean {
  if (!isNumber(actual)) return false;
  const most = Math.max(tolerance, relative * Math.abs(Number(expected)));
  if (most === 0) return isSameNumber(actual, expected);
  return Math.abs(Number(actual) - Number(expected)) <= most * roundingSlack;
}

// Characters that do not change a value. The point in 3.5, the minus of -5, and the signs of C#, 50 %, R&D and a@b do,
// and stay.
const unimportant = /(?<!\d(?=\.\d))(?!(?<=^|\s)[-−]\d)(?![#%&@]|\^-?\d)[\p{P}\s^`]/gu;

/**
 * Returns a text without what rarely matters in an argument: letter case, white space, punctuation and the form of
 * characters (full-width, composed or not). `San Francisco, CA` and `san francisco CA` are the same, `3.5` and `35` are
 * not.
 */
export function looseText(text: string): string {
  return foldForComparison(text).replace(unimportant, '');
}

/**
 * Returns a text in lower case, with single quotes as double ones and without the listed characters. With ` ,./-_*^`
 * this is how the Berkeley Function Calling Leaderboard standardises texts.
 */
export function textWithout(text: string, characters: string): string {
  const dropped = new Set(characters);
  const kept = Array.from(text).filter((character) => !dropped.has(character));
  return kept.join('').toLowerCase().replaceAll("'", '"');
}
