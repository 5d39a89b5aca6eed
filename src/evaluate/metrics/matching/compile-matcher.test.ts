import fc from 'fast-check';
import { expect, test } from 'vitest';
import { TouchstoneError } from '../../../core/errors.ts';
import { canonicalJson } from '../../../core/lib/content-hash.ts';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import type { Json } from '../../../core/schema/json.ts';
import { compileMatcher, type MatchOptions } from './compile-matcher.ts';

const mismatches = (expected: Json, actual: Json | undefined, options: Partial<MatchOptions> = {}) =>
  compileMatcher(expected, { mode: 'exact', ...options }).match(actual);
const matches = (expected: Json, actual: Json | undefined, options: Partial<MatchOptions> = {}) =>
  mismatches(expected, actual, options).length === 0;

test.each<[string, string, boolean]>([
  ['1290461237612345677', '1290461237612345677', true],
  ['1290461237612345677', '1290461237612345678', false],
  ['9007199254740993', '9007199254740992', false],
  ['9007199254740993', '9007199254740993.0', true],
  ['12345678901234567.89', '12345678901234567.88', false],
  ['1e400', '1e401', false],
  ['1.0', '1', true],
  ['1e2', '100', true],
  ['1290461237612345677', '"1290461237612345677"', false],
  ['{"id":[1290461237612345677]}', '{"id":[1290461237612345677]}', true],
  ['{"id":[1290461237612345677]}', '{"id":[1290461237612345676]}', false],
  ['{"$oneOf":[1290461237612345677]}', '1290461237612345676', false],
  [
    '{"$unordered":[1290461237612345677,1290461237612345678]}',
    '[1290461237612345678,1290461237612345677]',
    true,
  ],
  ['{"$near":1290461237612345677,"$tolerance":5}', '1290461237612345679', true],
  ['"caf\u00e9"', '"cafe\u0301"', true],
  ['"caf\u00e9"', '"cafe"', false],
  ['{"caf\u00e9":1}', '{"cafe\u0301":1}', true],
  ['{"caf\u00e9":1}', '{"cafe\u0301":2}', false],
  ['"\u00bd"', '"1/2"', false],
  ['"\ufb01"', '"fi"', false],
])('digits and letters of %s decide: %s → %j', (expected, actual, isMatch) => {
  expect(matches(parseJson(expected), parseJson(actual))).toBe(isMatch);
});

test.each<[Json, Json | undefined, boolean]>([
  [5, 5, true],
  [5, '5', false],
  [1, true, false],
  [0, -0, true],
  [null, null, true],
  [null, undefined, false],
  ['a', 'A', false],
  [[1, 2], [1, 2], true],
  [[1, 2], [2, 1], false],
  [[], {}, false],
  [{}, [], false],
  [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
  [{ a: null }, {}, false],
  [{}, { a: 1 }, false],
  [{ constructor: 1 }, {}, false],
])('%j stands for itself: %j → %j', (expected, actual, isMatch) => {
  expect(matches(expected, actual)).toBe(isMatch);
});

test.each<[Json, Json | undefined, boolean]>([
  [{ $near: 5, $tolerance: 0.1 }, 5.1, true],
  [{ $near: 5, $tolerance: 0.1 }, 5.11, false],
  [{ $near: 1, $tolerance: 0.1 }, 1.1, true],
  [{ $near: -200, $relative: 0.01 }, -202, true],
  [{ $near: -200, $relative: 0.01 }, -203, false],
  [{ $near: 100, $tolerance: 5, $relative: 0.01 }, 104, true],
  [{ $near: 5, $tolerance: 1 }, '5', false],
  [{ $text: 'San Francisco, CA' }, 'san francisco  ca', true],
  [{ $text: 'San Francisco' }, 'San Jose', false],
  [{ $text: 'x' }, 5, false],
  [{ $text: 'Straße 5' }, 'STRASSE 5', true],
  [{ $text: '10²' }, '10^2', true],
  [{ $text: '10²' }, '102', false],
  [{ $text: 'don’t' }, "don't", true],
  [{ $text: "it's 3.14", $ignoring: ' .' }, 'IT"S 314', true],
  [{ $text: 'a-b', $ignoring: ' .' }, 'ab', false],
  [{ $regex: '^2025-' }, '2025-03-01', true],
  [{ $regex: 'UPGRADE', $flags: 'i' }, 'an upgrade', true],
  [{ $regex: 'UPGRADE' }, 'an upgrade', false],
  [{ $regex: '5' }, 5, false],
  [{ $instant: '2025-03-01T10:00:00Z' }, '2025-03-01T10:00:00.000Z', true],
  [{ $instant: '2025-03-01T10:00:00Z' }, '2025-03-01T12:00:00+02:00', true],
  [{ $instant: '2025-03-01T10:00:00Z' }, '2025-03-01T10:00:01Z', false],
  [{ $instant: '2025-03-01T10:00:00Z' }, '2025-03-01T10:00:00', false],
  [{ $instant: '2025-03-01 10:00' }, '2025-03-01T10:00:00', true],
  [{ $instant: '2025-03-01T10:00:00Z' }, 1740823200, false],
  [{ $instant: '2025-03-01T10:00:00Z' }, null, false],
  [{ $oneOf: ['SF', { $text: 'San Francisco' }] }, 'san francisco', true],
  [{ $oneOf: ['SF', 'LA'] }, 'NY', false],
  [{ $oneOf: [10, { $absent: true }] }, undefined, true],
  [{ $schema: { type: 'integer', minimum: 1 } }, 3, true],
  [{ $schema: { type: 'integer', minimum: 1 } }, 0, false],
  [{ $schema: true }, undefined, false],
  [{ $any: true }, null, true],
  [{ $any: true }, undefined, false],
  [{ $absent: true }, undefined, true],
  [{ $absent: true }, null, false],
  [{ $set: ['a', 'b'] }, ['b', 'a', 'b'], true],
  [{ $set: ['a', 'b'] }, ['a'], false],
  [{ $set: ['a'] }, ['a', 'c'], false],
  [{ $set: [] }, [], true],
  [{ $set: ['a'] }, 'a', false],
  [{ $unordered: ['a', 'b', 'a'] }, ['a', 'a', 'b'], true],
  [{ $unordered: ['a', 'b'] }, ['a', 'b', 'b'], false],
  [{ $unordered: [{ $any: true }, 1] }, [1, 2], true],
  [{ $includes: [{ $regex: '^a' }] }, ['b', 'ab'], true],
  [{ $includes: ['a', 'c'] }, ['a', 'b'], false],
  [{ $not: { $regex: 'secret' } }, 'fine', true],
  [{ $not: 'x' }, 'x', false],
  [{ $not: 'x' }, undefined, true],
  [{ $not: { $absent: true } }, undefined, false],
  [{ $exact: { $near: 5 } }, { $near: 5 }, true],
  [{ $exact: { $near: 5 } }, 5, false],
])('%j against %j → %j', (expected, actual, isMatch) => {
  expect(matches(expected, actual)).toBe(isMatch);
});

test.each<[string, string, boolean]>([
  ['Hello, World!', 'hello world', true],
  ['New-York', 'new york', true],
  ['“smart” quotes', '"smart" quotes', true],
  ['ＣＯＤＥ', 'code', true],
  ['café', 'cafe\u0301', true],
  ['café', 'cafe', false],
  ['3.5', '35', false],
  ['1,000', '1000', true],
  ['-5', '5', false],
  ['at -5', 'at 5', false],
  ['2025-03-01', '2025 03 01', true],
  ['C#', 'C', false],
  ['C++', 'C', false],
  ['50%', '50', false],
  ['3 p.m.', '3pm', true],
])('loosely, %j and %j are the same: %j', (first, second, isSame) => {
  expect(matches({ $text: first }, second)).toBe(isSame);
  expect(matches(second, first, { text: 'loose' })).toBe(isSame);
});

test.each<[MatchOptions['mode'], Json, boolean]>([
  ['exact', { a: { x: 1 }, b: 2 }, true],
  ['exact', { a: { x: 1 } }, false],
  ['exact', { a: { x: 1, y: 1 }, b: 2 }, false],
  ['superset', { a: { x: 1, y: 1 }, b: 2, c: 3 }, true],
  ['superset', { a: { x: 1 } }, false],
  ['superset', { a: { x: 2 }, b: 2 }, false],
  ['subset', { a: {} }, true],
  ['subset', {}, true],
  ['subset', { a: { y: 1 } }, false],
  ['subset', { c: 3 }, false],
])('%s at every depth: %j → %j', (mode, actual, isMatch) => {
  expect(matches({ a: { x: 1 }, b: 2 }, actual, { mode })).toBe(isMatch);
});

test('$exact switches off mode, tolerance and loose texts', () => {
  const options = { mode: 'superset', tolerance: 1, text: 'loose' } as const;
  expect(matches({ a: [{ x: 1 }, 'A'] }, { a: [{ x: 2, y: 1 }, 'a'], b: 1 }, options)).toBe(true);
  for (const actual of [
    [{ x: 1, y: 1 }, 'A'],
    [{ x: 2 }, 'A'],
    [{ x: 1 }, 'a'],
  ]) {
    expect(matches({ a: { $exact: [{ x: 1 }, 'A'] } }, { a: actual }, options)).toBe(false);
  }
  expect(matches({ a: { $exact: [{ x: 1 }, 'A'] } }, { a: [{ x: 1 }, 'A'], b: 1 }, options)).toBe(true);
});

test('ignored paths do not count when they differ, are missing or are additional', () => {
  const ignore = ['id', 'items[*].price', 'items[1]', 'meta["a.b"]'];
  const expected = { id: 1, items: [{ name: 'x', price: 1 }, 'y'], meta: { c: 1 } };
  const actual = { items: [{ name: 'x' }, 'z'], meta: { c: 1, 'a.b': 5 } };
  expect(matches(expected, actual, { ignore })).toBe(true);
  expect(matches({ items: { $exact: [{ price: 1 }, 'y'] } }, { items: [{}, 'y'] }, { ignore })).toBe(true);
  expect(matches({ items: { $set: [{ price: 1 }] } }, { items: [{ price: 2 }] }, { ignore })).toBe(true);
  expect(mismatches(expected, { ...actual, other: 1 }, { ignore })).toEqual([
    { path: 'other', expected: 'nothing', actual: '1' },
  ]);
});

test('a general tolerance applies at every depth', () => {
  expect(matches({ a: [1.5] }, { a: [1.45] }, { tolerance: 0.05 })).toBe(true);
  expect(mismatches({ a: [1.5] }, { a: [1.4] }, { tolerance: 0.05 })).toEqual([
    { path: 'a[0]', expected: '1.5 ± 0.05', actual: '1.4' },
  ]);
});

test('reports every difference with its place, the expected and the actual value', () => {
  const expected = {
    city: { $oneOf: ['SF', { $text: 'San Francisco' }] },
    'a b': { x: 1 },
    when: { $near: 3, $relative: 0.1 },
  };
  const actual = { city: 'LA', 'a b': { x: '\u001b[31m' }, more: null };
  expect(mismatches(expected, actual)).toEqual([
    { path: 'city', expected: 'one of "SF", a text like "San Francisco"', actual: '"LA"' },
    { path: '["a b"].x', expected: '1', actual: String.raw`"\u001b[31m"` },
    { path: 'when', expected: '3 ± 10 %', actual: 'nothing' },
    { path: 'more', expected: 'nothing', actual: 'null' },
  ]);
  expect(mismatches('a', 'x'.repeat(500))[0]?.actual).toHaveLength(80);
});

test.each<[Json, string]>([
  [
    { a: [{ $nere: 5 }] },
    '`a[0]` of the expected value cannot be used: expected a matcher, and $nere is none',
  ],
  [{ $near: 5 }, 'the expected value cannot be used: expected $tolerance or $relative together with $near'],
  [{ $near: '5', $tolerance: 1 }, 'expected a matcher such as { "$near": 5, "$tolerance": 0.1 }'],
  [{ $text: 'a', name: 'b' }, 'no name with $text'],
  [{ $regex: '(' }, 'Invalid regular expression'],
  [{ $regex: 'a', $flags: 'g' }, '$flags of i, m, s'],
  [{ $oneOf: [] }, 'expected a matcher such as { "$oneOf": ["red", "blue"] }'],
  [{ $oneOf: [{ b: { $any: false } }] }, '`$oneOf[0].b`'],
  [{ a: { $schema: { type: 'nonsense' } } }, '`a` of the expected value cannot be used'],
])('rejects %j when it is compiled', (expected, message) => {
  const compile = () => compileMatcher(expected, { mode: 'exact' });
  expect(compile).toThrow(TouchstoneError);
  expect(compile).toThrow(message);
});

const plainKey = fc.constantFrom('a', 'b', 'c d', '__proto__', 'constructor');
const plainJson = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom<Json>(null, true, 0, 1.5, '', 'x'),
    fc.array(tie('value'), { maxLength: 3 }),
    fc
      .array(fc.tuple(plainKey, tie('value')), { maxLength: 3 })
      .map((entries) => Object.fromEntries(entries)),
  ),
})).value;

test('a value matches itself in every mode, and only equal values match exactly', () => {
  fc.assert(
    fc.property(plainJson, plainJson, (first, second) => {
      for (const mode of ['exact', 'subset', 'superset'] as const)
        expect(matches(first, first, { mode })).toBe(true);
      const isSame = canonicalJson(first) === canonicalJson(second);
      expect(matches(first, second)).toBe(isSame);
      expect(matches({ $exact: first }, second)).toBe(isSame);
    }),
  );
});

test('subset and superset mirror each other, and both together are exact', () => {
  fc.assert(
    fc.property(plainJson, plainJson, (first, second) => {
      const isSuperset = matches(first, second, { mode: 'superset' });
      const isSubset = matches(first, second, { mode: 'subset' });
      expect(matches(second, first, { mode: 'subset' })).toBe(isSuperset);
      expect(matches(first, second)).toBe(isSuperset && isSubset);
    }),
  );
});

test('a pattern that takes too long leaves the value unmeasured', () => {
  const hostile = `${'a'.repeat(40)}!`;
  const schema = { type: 'string', pattern: '^(a+)+$' };
  for (const matcher of [{ $regex: '^(a+)+$' }, { $schema: schema }] as Json[]) {
    expect(() => matches({ deep: [matcher] }, { deep: [hostile] })).toThrow(
      expect.objectContaining({ code: 'pattern-too-slow' }),
    );
  }
});
