import { expect, test } from 'vitest';
import { createCompensatedSum } from './compensated-sum.ts';

test('digits that a plain sum loses are kept, whichever number is the larger', () => {
  const sum = createCompensatedSum();
  for (const value of [1, 1e100, 1, -1e100]) sum.add(value);
  expect(sum.total()).toBe(2);
});

test('a million tenths are a hundred thousand', () => {
  const sum = createCompensatedSum();
  for (let i = 0; i < 1_000_000; i += 1) sum.add(0.1);
  expect(sum.total()).toBe(100_000);
});

test('the sum of no numbers is 0', () => {
  expect(createCompensatedSum().total()).toBe(0);
});
