import { expect, test } from 'vitest';
import { readAllowances } from './read-allowances.ts';

const now = Date.parse('2026-01-02T03:04:05Z');

test.each([
  ['6m0s', 360_000],
  ['120ms', 120],
  ['1h2m3.5s', 3_723_500],
  ['7.5', 7500],
  ['1767323055', 10_000],
  ['1767323055000', 10_000],
  ['2026-01-02T03:04:15Z', 10_000],
])('a reset written as %s is %d ms away', (reset, resetMs) => {
  const headers = {
    'x-ratelimit-limit-requests': '500',
    'x-ratelimit-remaining-requests': '499',
    'x-ratelimit-reset-requests': reset,
  };
  expect(readAllowances(headers, now)).toEqual({ requests: { limit: 500, remaining: 499, resetMs } });
});

test("Anthropic's spelling, and both kinds of allowance", () => {
  const headers = Object.fromEntries(
    ['requests', 'tokens'].flatMap((kind) => [
      [`anthropic-ratelimit-${kind}-limit`, '50'],
      [`anthropic-ratelimit-${kind}-remaining`, '49'],
      [`anthropic-ratelimit-${kind}-reset`, '2026-01-02T03:04:06Z'],
    ]),
  );
  const allowance = { limit: 50, remaining: 49, resetMs: 1000 };
  expect(readAllowances(headers, now)).toEqual({ requests: allowance, tokens: allowance });
});

test('incomplete headers and headers that are not numbers are ignored', () => {
  expect(
    readAllowances({ 'x-ratelimit-limit-requests': '5', 'x-ratelimit-remaining-requests': 'many' }, now),
  ).toEqual({});
});

test("a reset that is a date is compared with the server's own clock", () => {
  const headers = {
    date: 'Fri, 02 Jan 2026 03:04:05 GMT',
    'x-ratelimit-limit-requests': '5',
    'x-ratelimit-remaining-requests': '0',
    'x-ratelimit-reset-requests': '1767323055',
  };
  expect(readAllowances(headers).requests?.resetMs).toBe(10_000);
});
