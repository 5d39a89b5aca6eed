import { expect, test } from 'vitest';
import { truthOf } from './expected.ts';
import type { VerdictNumbers } from './verdict.ts';

const scored = (value: number, more: object = {}): VerdictNumbers => ({ status: 'scored', value, ...more });

test.each<[VerdictNumbers | undefined, object, string]>([
  [scored(1), {}, 'true'],
  [scored(0), {}, 'false'],
  [scored(1 - 1e-12), {}, 'true'],
  [scored(0.5), {}, 'not-measured'],
  [scored(0.5, { passed: true }), {}, 'true'],
  [scored(1, { passed: false }), {}, 'false'],
  [scored(0.5, { passed: true }), { atLeast: 0.6 }, 'false'],
  [scored(0.1 + 0.7), { atLeast: 0.8 }, 'true'],
  [scored(900, { unit: 'ms' }), { atMost: 1000 }, 'true'],
  [scored(900, { unit: 'ms' }), { atLeast: 100, atMost: 800 }, 'false'],
  [scored(1, { unit: 'ms' }), {}, 'not-measured'],
  [scored(3, { unit: 'errors', passed: false }), {}, 'false'],
  [{ status: 'not-applicable' }, { atLeast: 0 }, 'not-applicable'],
  [{ status: 'failed' }, {}, 'not-measured'],
  [undefined, {}, 'not-measured'],
])('the verdict %j with bounds %j makes a criterion %s', (verdict, bounds, truth) => {
  expect(truthOf(bounds, verdict)).toBe(truth);
});
