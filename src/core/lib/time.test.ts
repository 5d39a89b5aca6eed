import { expect, test } from 'vitest';
import { readRetryAfter, timeOfReply } from './time.ts';

const now = Date.parse('2026-01-02T03:04:05Z');

test.each([
  ['7', 7000],
  ['0.5', 500],
  ['Fri, 02 Jan 2026 03:04:15 GMT', 10_000],
  ['Fri, 02 Jan 2026 03:04:00 GMT', 0],
  ['2026-01-02T03:04:15Z', 10_000],
  // The time since 1970, in seconds and in milliseconds, ahead and past.
  ['1796000000', 1796000000_000 - now],
  ['1767323055', 10_000],
  ['1767323055000', 10_000],
  ['1767323000', 0],
  ['1000000000', 1e12],
  ['soon', undefined],
  ['-5', undefined],
  ['NaN', undefined],
  [undefined, undefined],
])('%s', (header, milliseconds) => {
  expect(readRetryAfter(header, now)).toBe(milliseconds);
});

test("a date is compared with the server's own clock, where the reply has one", () => {
  const headers = { date: 'Fri, 02 Jan 2026 03:04:05 GMT' };
  expect(readRetryAfter('Fri, 02 Jan 2026 03:04:15 GMT', timeOfReply(headers))).toBe(10_000);
  for (const none of [{}, { date: 'today' }]) {
    expect(Math.abs(timeOfReply(none) - Date.now())).toBeLessThan(10_000);
  }
});
