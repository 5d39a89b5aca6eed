import { expect, test } from 'vitest';
import { createRandom } from '../../../core/stats/random.ts';
import { rateLimit } from './rate-limit.ts';

test('the error names the tool, and programs recognise it by its status', () => {
  if (!('fail' in rateLimit)) throw new Error('it does not fail');
  expect(rateLimit.fail({ name: 'search', arguments: {} }, createRandom(1))).toEqual({
    error: 'search: Too many requests (HTTP 429), try again later.',
    details: { status: 429 },
  });
});
