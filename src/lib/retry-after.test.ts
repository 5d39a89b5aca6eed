import { expect, test } from 'vitest';
import { readRetryAfter } from './retry-after.ts';

const now = Date.parse('2026-01-02T03:04:05Z');

test.each([
  ['7', 7000],
  ['0.5', 500],
  ['Fri, 02 Jan 2026 03:04:15 GMT', 10_000],
  ['Fri, 02 Jan 2026 03:04:00 GMT', 0],
  ['soon', undefined],
  [undefined, undefined],
])('%s', (header, milliseconds) => {
  expect(readRetryAfter(header, now)).toBe(milliseconds);
});
