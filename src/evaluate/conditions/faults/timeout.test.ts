import { expect, test } from 'vitest';
import { createRandom } from '../../../core/stats/random.ts';
import { timeout } from './timeout.ts';

test('the error names the tool, and programs recognise it by its code', () => {
  if (!('fail' in timeout)) throw new Error('it does not fail');
  expect(timeout.fail({ name: 'search', arguments: {} }, createRandom(1))).toEqual({
    error: 'search: timed out, no response within 30 seconds.',
    details: { code: 'ETIMEDOUT' },
  });
});
