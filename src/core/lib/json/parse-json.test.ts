import { expect, test } from 'vitest';
import { copyJson } from './copy-json.ts';
import { ExactNumber } from './exact-number.ts';
import { packNumbers, unpackNumbers } from './pack-numbers.ts';
import { parseJson } from './parse-json.ts';

test('long numbers keep their digits at any place, and all else is as JSON.parse gives it', () => {
  const text =
    '{"id":1290461237612345677,"a":[1,2.50,-1e400,{"b":0.1234567890123456789}],"t":"1290461237612345677","__proto__":{"c":1}}';
  const value = parseJson(text);
  expect(String(value.id)).toBe('1290461237612345677');
  expect(JSON.stringify(value)).toBe(
    '{"id":1290461237612345677,"a":[1,2.5,-1e+400,{"b":0.1234567890123456789}],"t":"1290461237612345677","__proto__":{"c":1}}',
  );
  expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
});

test.each([
  '9007199254740993',
  ' 9007199254740993\n',
  '[\t9007199254740993 ]',
  '{"a" :9007199254740993}',
  '[1e400]',
  '[1,1E+0400]',
  '[-12.345678901234567891]',
])('%j holds a number that a double loses', (text) => {
  const value = parseJson(text);
  const [inner] = value instanceof ExactNumber ? [value] : Object.values(value as unknown[]).slice(-1);
  expect(inner).toBeInstanceOf(ExactNumber);
});

test('texts with digits are left as they are, and what is no JSON is refused', () => {
  const text = '["1290461237612345677", "x:1290461237612345677,", 20260101120000, 1.5, "1e400"]';
  expect(parseJson(text)).toEqual(JSON.parse(text));
  for (const broken of [
    '',
    '{',
    '[01290461237612345677]',
    '1290461237612345677.',
    '[1290461237612345677,]',
    '+1290461237612345677',
  ])
    expect(() => parseJson(broken)).toThrow(SyntaxError);
});

test('a text that is nested deeper than a reviver can go is still parsed', () => {
  const depth = 200_000;
  const text = `${'['.repeat(depth)}1290461237612345677${']'.repeat(depth)}`;
  expect(Array.isArray(parseJson(text))).toBe(true);
});

test('a copy keeps the digits, and shares nothing else', () => {
  const value = parseJson('{"a":[{"id":1290461237612345677}],"__proto__":{"b":[]}}');
  const copy = copyJson(value);
  expect(copy).toEqual(value);
  expect(JSON.stringify(copy)).toBe(JSON.stringify(value));
  expect(copy.a[0]).not.toBe(value.a[0]);
  expect(copyJson({ at: new Date(5), missing: undefined })).toEqual({ at: new Date(5), missing: undefined });
  expect(() => copyJson({ call: () => 1 })).toThrow(/could not be cloned/);
});

test('long numbers survive structured cloning when they are packed', () => {
  const value = parseJson('{"a":[{"id":1290461237612345677,"b":[1,"2"]}],"c":null}');
  expect(unpackNumbers(structuredClone(packNumbers(value)))).toEqual(value);
  const plain = { a: [{ b: 1 }], c: Number.NaN };
  expect(packNumbers(plain)).toBe(plain);
});

test('parsing takes time in proportion to the length of a text, whatever it holds', () => {
  const size = 5_000_000;
  const hostile = [
    `[${'9'.repeat(size)}]`,
    `["${'1.'.repeat(size / 2)}"]`,
    `["${'1e999 '.repeat(size / 6)}"]`,
    `[${Array.from({ length: size / 20 }, () => '1290461237612345677').join(',')}]`,
    `{"a":"${'1290461237612345677 '.repeat(size / 20)}"}`,
  ];
  const before = process.cpuUsage();
  for (const text of hostile) parseJson(text);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1e6).toBeLessThan(10);
});
