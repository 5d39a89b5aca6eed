import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import { signFlipTest } from './sign-flip-test.ts';

// Darwin's maize, in eighths of an inch.
const MAIZE = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48];

test("Darwin's maize has Fisher's p-value, twice 863 of 32,768", () => {
  expect(signFlipTest({ differences: MAIZE })).toEqual({
    status: 'defined',
    method: 'sign-flip-exact',
    n: 15,
    resamples: 32_768,
    seed: null,
    estimate: expect.closeTo(20.933333, 6),
    pValue: 1726 / 32_768,
  });
});

test('random flips come close to the exact p-value, and the result states the seed', () => {
  const random = createRandom('flips');
  const differences = Array.from({ length: 20 }, () => random.next() - 0.4);
  const exact = signFlipTest({ differences });
  // The same with one more, negligible difference: 21 differences take random flips.
  const flipped = signFlipTest({ differences: [...differences, 1e-9], resamples: 20_000, seed: 'a' });
  expect(exact.method).toBe('sign-flip-exact');
  expect(flipped).toMatchObject({ method: 'sign-flip-random', resamples: 20_000, seed: 'a', n: 21 });
  expect(Math.abs((flipped.pValue as number) - (exact.pValue as number))).toBeLessThan(0.015);
  expect(signFlipTest({ differences: [...differences, 1e-9], resamples: 20_000, seed: 'a' })).toEqual(
    flipped,
  );
});

test('a random p-value is never 0', () => {
  const differences = Array.from({ length: 100 }, () => 1);
  expect(signFlipTest({ differences, resamples: 999 }).pValue).toBe(1 / 1000);
});

test('differences of decimals tie as their decimals do', () => {
  // 0.1 + 0.2 is not 0.3 in doubles: the patterns with sums ± 0.6 and 0 are 2, 2 and 4 of 8.
  expect(signFlipTest({ differences: [0.1, 0.2, 0.3] }).pValue).toBe(2 / 8);
  expect(signFlipTest({ differences: [0.1, 0.2, -0.3] }).pValue).toBe(1);
});

test('differences of 0 change nothing, and any number of them stays exact', () => {
  const zeros = Array.from({ length: 500 }, () => 0);
  expect(signFlipTest({ differences: [...MAIZE, ...zeros] })).toMatchObject({
    method: 'sign-flip-exact',
    pValue: 1726 / 32_768,
    n: 515,
  });
  expect(signFlipTest({ differences: zeros })).toMatchObject({ pValue: 1, estimate: 0, resamples: 1 });
});

test('clusters are flipped as a whole', () => {
  const differences = [1, 2, 3, 4];
  expect(signFlipTest({ differences }).pValue).toBe(2 / 16);
  expect(signFlipTest({ differences, clusters: ['a', 'a', 'b', 'b'] })).toMatchObject({
    clusters: 2,
    resamples: 4,
    pValue: 2 / 4,
    estimate: 2.5,
  });
});

test('neither the order, nor the scale, nor the names of the bots matter', () => {
  const whole = fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 14 });
  fc.assert(
    fc.property(whole, (differences) => {
      const { pValue } = signFlipTest({ differences });
      expect(signFlipTest({ differences: differences.toReversed() }).pValue).toBe(pValue);
      expect(signFlipTest({ differences: differences.map((value) => -value / 100) }).pValue).toBe(pValue);
      expect(pValue).toBeGreaterThan(0);
      expect(pValue).toBeLessThanOrEqual(1);
    }),
  );
});

test('without a difference, at most 5 % of p-values are 5 % or less', () => {
  const random = createRandom('null');
  let hits = 0;
  for (let run = 0; run < 2000; run += 1) {
    const differences = Array.from({ length: 12 }, () => random.next() - random.next());
    if ((signFlipTest({ differences }).pValue as number) <= 0.05) hits += 1;
  }
  expect(hits / 2000).toBeLessThan(0.065);
});

test('the test without values is undefined, and invalid arguments are refused', () => {
  expect(signFlipTest({ differences: [] })).toMatchObject({
    status: 'undefined',
    pValue: null,
    reason: 'no values',
  });
  expect(() => signFlipTest({ differences: [1], resamples: 1.5 })).toThrow('resamples is 1.5');
  expect(() => signFlipTest({ differences: [1, 2], clusters: [1] })).toThrow('clusters.length is 1');
});

test('differences whose sum overflows are not tested', () => {
  expect(signFlipTest({ differences: [1e308, 1e308, -1e308] })).toMatchObject({
    status: 'undefined',
    pValue: null,
    reason: 'differences are too large to add',
  });
});
