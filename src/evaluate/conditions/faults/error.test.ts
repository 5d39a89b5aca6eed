import { expect, test } from 'vitest';
import { createRandom } from '../../../core/stats/random.ts';
import { error } from './error.ts';

test('servers fail in several ways, chosen by the random numbers', () => {
  if (!('fail' in error)) throw new Error('it does not fail');
  const { fail } = error;
  const failures = Array.from({ length: 40 }, (_, seed) =>
    fail({ name: 'search', arguments: {} }, createRandom(seed)),
  );
  expect(new Set(failures.map(({ error: message }) => message)).size).toBe(4);
  expect(failures.every(({ error: message }) => message.startsWith('search: '))).toBe(true);
  expect(new Set(failures.map(({ details }) => details?.status ?? details?.code))).toEqual(
    new Set([500, 502, 503, 'ECONNRESET']),
  );
});
