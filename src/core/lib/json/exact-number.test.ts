import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import {
  compareNumbers,
  ExactNumber,
  exactNumber,
  exactNumberOf,
  isNumber,
  isSameNumber,
  isWholeNumber,
} from './exact-number.ts';

const read = (text: string) => exactNumber(text) as number | ExactNumber;

test('a number that a double holds with all its digits stays a double', () => {
  const short = [
    '0',
    '-0',
    '1.0',
    '1e2',
    '0.1',
    '9007199254740991',
    '9007199254740992',
    '1e23',
    '1e308',
    '5e-324',
  ];
  for (const text of [
    ...short,
    '0.30000000000000004',
    '123456789012345680000',
    '0e999',
    '1.7976931348623157e308',
  ])
    expect(read(text)).toBe(Number(text));
});

test.each([
  ['1290461237612345677', '1290461237612345677'],
  ['-9007199254740993', '-9007199254740993'],
  ['9007199254740993.00', '9007199254740993'],
  ['9.007199254740993e15', '9007199254740993'],
  ['12345678901234567.89', '12345678901234567.89'],
  ['0.12345678901234567890', '0.1234567890123456789'],
  ['1e400', '1e+400'],
  ['-1.50e-400', '-1.5e-400'],
  ['100000000000000000000000000000000000000001e-30', '100000000000.000000000000000000000000000001'],
  ['1e99999999999999999999', '1e99999999999999999999'],
])('%s keeps its digits: %s', (text, digits) => {
  const number = read(text);
  expect(number).toBeInstanceOf(ExactNumber);
  expect(String(number)).toBe(digits);
  expect(JSON.stringify({ a: [number] })).toBe(`{"a":[${digits}]}`);
  expect(Number(number)).toBe(Number(text));
});

test('a text that is no decimal number is none', () => {
  for (const text of [
    '',
    '.',
    '-',
    '1e',
    'e5',
    '1 000',
    '0x10',
    'NaN',
    'Infinity',
    '1,5',
    '12345678901234567a',
  ])
    expect(exactNumber(text)).toBeUndefined();
});

test('two numbers are equal only if their digits say so', () => {
  expect(isSameNumber(read('1.0'), read('1'))).toBe(true);
  expect(isSameNumber(read('1e2'), read('100'))).toBe(true);
  expect(isSameNumber(read('9007199254740993'), read('9007199254740992'))).toBe(false);
  expect(isSameNumber(read('9007199254740993'), read('9007199254740993.0'))).toBe(true);
  expect(isSameNumber(read('1e400'), read('10e399'))).toBe(true);
  expect(isSameNumber(read('1e400'), read('1e401'))).toBe(false);
  expect(isDeepStrictEqual(read('9007199254740993'), read('9007199254740995'))).toBe(false);
  expect(isDeepStrictEqual(read('9007199254740993'), read('9007199254740993.0'))).toBe(true);
});

test('numbers are ordered by their digits', () => {
  const sorted = [
    '-1e401',
    '-1e400',
    '-9007199254740993',
    '-9007199254740992',
    '-1',
    '1e-400',
    '1',
    '9007199254740992',
  ];
  const all = [
    ...sorted,
    '9007199254740993',
    '9007199254740993.5',
    '9007199254740994',
    '1e400',
    '1.1e400',
    '1e401',
  ];
  all.forEach((one, at) => {
    all.forEach((other, place) => {
      expect(Math.sign(compareNumbers(read(one), read(other))), `${one} ${other}`).toBe(
        Math.sign(at - place),
      );
    });
  });
});

test('a whole number is one whose digits are all known', () => {
  expect([read('5'), read('9007199254740993'), read('-90071992547409931')].map(isWholeNumber)).not.toContain(
    false,
  );
  expect(
    [1.5, 2 ** 53, 1e300, read('12345678901234567.5'), read('1e400'), '5', null].map(isWholeNumber),
  ).not.toContain(true);
  expect(isNumber(read('1e400'))).toBe(true);
  expect(isNumber('1')).toBe(false);
});

test('a bigint is the number that it is', () => {
  expect(exactNumberOf(5n)).toBe(5);
  expect(exactNumberOf(2n ** 53n)).toBe(2 ** 53);
  expect(String(exactNumberOf(2n ** 53n + 1n))).toBe('9007199254740993');
});

test('a hostile number of a megabyte takes no longer than its length needs', () => {
  const before = process.cpuUsage();
  const digits = '9'.repeat(1_000_000);
  for (const text of [
    digits,
    `0.${'0'.repeat(1_000_000)}1`,
    `1e${digits}`,
    `${digits}e-${digits}`,
    `${digits}x`,
  ])
    exactNumber(text);
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1000).toBeLessThan(2000);
});
