import { expect, test } from 'vitest';
import { lazily } from './lazily.ts';

test('a value is created at the first use and only once, even when it is undefined', () => {
  let made = 0;
  const value = lazily(() => {
    made += 1;
  });
  expect(made).toBe(0);
  expect([value(), value(), made]).toEqual([undefined, undefined, 1]);
});
