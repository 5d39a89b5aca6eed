import { expect, test } from 'vitest';
import { findNumbers } from './find-numbers.ts';
import { asFoundNumber, isSameNumber, soleNumber } from './same-number.ts';

const areSame = (found: string, expected: string) => {
  const [first, second] = [findNumbers(found)[0], findNumbers(expected)[0]];
  if (first === undefined || second === undefined) throw new Error('both texts must hold a number');
  return isSameNumber(first, second);
};

test.each([
  ['$442,300', '442300'],
  ['442.3k', '442,300'],
  ['49.00', '49'],
  ['−5', '-5'],
  ['12.5 %', '12.5'],
  ['12.5 %', '0.125'],
  ['0.125', '12.5 %'],
  ['(1,204)', '-1204'],
  ['49 dollars', '$49'],
  ['49', '$49'],
  ['5 yuan', '¥5'],
  ['12345678901234567890', '12,345,678,901,234,567,890'],
])('%j is %j', (found, expected) => {
  expect(areSame(found, expected)).toBe(true);
});

test.each([
  ['149', '49'],
  ['-5', '5'],
  ['3.14', '314'],
  ['12.5', '12.5 %'],
  ['€49', '$49'],
  ['1290461237612345678', '1290461237612345677'],
  ['0.1', '0.10000000000000001'],
])('%j is not %j', (found, expected) => {
  expect(areSame(found, expected)).toBe(false);
});

test.each(['49', '$1,204.00', '5 %', '-5', '٤٢', '4.5 million', ' 7 '])('%j is one number', (text) => {
  expect(soleNumber(text)).toBeDefined();
});

test.each(['Q3', '1.2.3', '2024-08-01', '83-4567890', '5 kg', '5 and 6', '', 'five', '12:30'])(
  '%j is not one number',
  (text) => {
    expect(soleNumber(text)).toBeUndefined();
  },
);

test.each<[number, string]>([
  [-5, '-5'],
  [1e21, '1000000000000000000000'],
  [-1.5e-7, '-0.00000015'],
])('the value %d is the number %s', (value, exact) => {
  expect(asFoundNumber(value).exact).toBe(exact);
});

test('a long whole number keeps its digits', () => {
  expect(asFoundNumber(1290461237612345677n).exact).toBe('1290461237612345677');
});
