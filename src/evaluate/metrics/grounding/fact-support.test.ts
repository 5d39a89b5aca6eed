import { expect, test } from 'vitest';
import { findNumbers } from '../../../core/lib/numbers/find-numbers.ts';
import { createNumberSet } from './fact-support.ts';

function has(source: string, stated: string): boolean {
  const [number] = findNumbers(stated);
  if (number === undefined) throw new Error(`no number in ${stated}`);
  return createNumberSet(findNumbers(source)).has(number);
}

test.each([
  ['442,300', '$442.3k', true],
  ['442,310', '442.3k', true],
  ['442,360', '442.3k', false],
  ['1,204,567', '1.2 million', true],
  ['1,260,000', '1.2 million', false],
  ['3.14159', '3.14', true],
  ['3.15', '3.14', false],
  ['1204', '1200', false],
  ['1204.4', '1204', false],
  ['1204', '1,204.00', true],
  ['0.0448', '4.5 %', true],
  ['4.5 %', '0.045', true],
  ['45', '45 %', true],
  ['45 %', '0.46', false],
  ['-1204', '1204', true],
  ['0', '0', true],
  ['5 and 7', '6', false],
])('%s supports %s: %s', (source, stated, expected) => {
  expect(has(source, stated)).toBe(expected);
});

test('nothing supports a number when the sources have none', () => {
  expect(has('', '5')).toBe(false);
});
