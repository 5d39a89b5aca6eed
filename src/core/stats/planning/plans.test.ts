import fc from 'fast-check';
import { expect, test } from 'vitest';
import { binomialCdf } from '../binomial.ts';
import { boundedMeanBounds } from '../means/bounded-mean.ts';
import {
  casesToDecide,
  mcnemarSampleSize,
  minimumDetectableDifference,
  nonInferioritySampleSize,
  pairedSampleSize,
} from './sample-size.ts';

test("Miller's example takes 969 questions, and 198 questions find 13.2 or 7.5 points", () => {
  expect(pairedSampleSize({ difference: 0.03, betweenVariance: 1 / 9 })).toEqual({
    status: 'defined',
    n: 969,
    unrounded: expect.closeTo(968.9975, 4),
    power: 0.8,
    confidence: 0.95,
  });
  const parts = { n: 198, betweenVariance: 1 / 9, withinVarianceA: 1 / 6, withinVarianceB: 1 / 6 };
  expect(minimumDetectableDifference(parts).value).toBeCloseTo(0.132733, 6);
  expect(minimumDetectableDifference({ ...parts, repeatsA: 10, repeatsB: 10 }).value).toBeCloseTo(0.07567, 6);
});

test.each([
  [50, 0.119],
  [100, 0.084],
  [200, 0.059],
  [500, 0.038],
  [1000, 0.027],
])('%d questions with a spread of 0.3 find a difference of %d', (n, value) => {
  expect(minimumDetectableDifference({ n, standardDeviation: 0.3 }).value).toBeCloseTo(value, 3);
});

test.each([
  [0.02, 0.05, 979],
  [0.02, 0.1, 1960],
  [0.02, 0.2, 3923],
  [0.05, 0.1, 312],
  [0.05, 0.2, 626],
  [0.1, 0.2, 155],
  [0.1, 0.3, 234],
])('a difference in pass rate of %d with %d discordant takes %d questions', (difference, discordant, n) => {
  expect(mcnemarSampleSize({ difference, discordant }).n).toBe(n);
  const [aOnly, bOnly] = [(discordant + difference) / 2, (discordant - difference) / 2];
  expect(mcnemarSampleSize({ aOnly, bOnly }).n).toBe(n);
  expect(mcnemarSampleSize({ aOnly: bOnly, bOnly: aOnly }).n).toBe(n);
});

test('a margin of 5 points with a spread of 0.3 takes 223 questions', () => {
  const plan = nonInferioritySampleSize({ margin: 0.05, standardDeviation: 0.3 });
  expect(plan).toMatchObject({ n: 223, unrounded: expect.closeTo(222.57206, 5) });
  const clustered = nonInferioritySampleSize({ margin: 0.05, standardDeviation: 0.3, designEffect: 3.7 });
  expect(clustered.unrounded).toBeCloseTo(3.7 * plan.unrounded, 9);
  const better = nonInferioritySampleSize({ margin: 0.05, difference: 0.05, standardDeviation: 0.3 });
  expect(better.unrounded).toBeCloseTo(plan.unrounded / 4, 9);
});

test('the difference that a planned number of questions detects is the planned one', () => {
  const share = fc.double({ min: 0.01, max: 0.99, noNaN: true });
  fc.assert(
    fc.property(
      share,
      share,
      fc.double({ min: 0.5, max: 0.99, noNaN: true }),
      (difference, standardDeviation, power) => {
        const { unrounded: n } = pairedSampleSize({ difference, standardDeviation, power });
        expect(minimumDetectableDifference({ n, standardDeviation, power }).value).toBeCloseTo(
          difference,
          12,
        );
        expect(pairedSampleSize({ difference: -difference, standardDeviation, power }).unrounded).toBe(n);
      },
    ),
  );
});

test('invalid plans are refused', () => {
  expect(() => pairedSampleSize({ difference: 0, standardDeviation: 1 })).toThrow('difference is 0');
  expect(() => pairedSampleSize({ difference: 1, standardDeviation: 0 })).toThrow('standardDeviation is 0');
  expect(() => pairedSampleSize({ difference: 1, betweenVariance: 0 })).toThrow(
    'the variance of the differences is 0',
  );
  expect(() => pairedSampleSize({ difference: 1, betweenVariance: 1, repeatsA: 0 })).toThrow('repeatsA is 0');
  expect(() => pairedSampleSize({ difference: 1, standardDeviation: 1, power: 1 })).toThrow('power is 1');
  expect(() => minimumDetectableDifference({ n: 0, standardDeviation: 1 })).toThrow('n is 0');
  expect(() => mcnemarSampleSize({ difference: 0.3, discordant: 0.2 })).toThrow('difference is 0.3');
  expect(() => mcnemarSampleSize({ aOnly: 0, bOnly: 0 })).toThrow('the share of discordant questions is 0');
  expect(() => mcnemarSampleSize({ aOnly: 12, bOnly: 0 })).toThrow('aOnly is 12');
  expect(() => nonInferioritySampleSize({ margin: 0.05, difference: -0.05, standardDeviation: 1 })).toThrow(
    'margin + difference is 0; it must be finite and above 0.',
  );
});

/** Returns the exact one-sided 95 % bounds of a share of passes. */
function boundsOf(passed: number, n: number): { lower: number; upper: number } {
  const interval = boundedMeanBounds({
    values: Array.from({ length: n }, (_, place) => Number(place < passed)),
  });
  if (interval.status === 'undefined') throw new Error(interval.reason);
  return interval;
}

test.each([
  ['passing', 44, 50, 0.8],
  ['passing', 70, 100, 0.6],
  ['failing', 35, 50, 0.8],
])(
  'the planned number of cases decides a %s gate with a power of about 80 %%',
  (outcome, passed, n, threshold) => {
    const mean = passed / n;
    const { lower, upper } = boundsOf(passed, n);
    const bound = outcome === 'passing' ? lower : upper;
    const planned = casesToDecide({ n, mean, bound, threshold })?.n ?? 0;
    expect(planned).toBeGreaterThan(n);
    // The exact chance that a target with this mean is decided with the planned number of cases.
    const isDecided = (count: number) =>
      outcome === 'passing'
        ? boundsOf(count, planned).lower >= threshold
        : boundsOf(count, planned).upper < threshold;
    const counts = Array.from({ length: planned + 1 }, (_, count) => count);
    const power =
      outcome === 'passing'
        ? 1 - binomialCdf({ successes: counts.findIndex(isDecided) - 1, trials: planned, p: mean })
        : binomialCdf({ successes: counts.findLastIndex(isDecided), trials: planned, p: mean });
    expect(power).toBeGreaterThan(0.72);
    expect(power).toBeLessThan(0.92);
  },
);

test('no number of cases decides a mean that is at the threshold', () => {
  expect(casesToDecide({ n: 50, mean: 0.8, bound: 0.7, threshold: 0.8 })).toBeUndefined();
});
