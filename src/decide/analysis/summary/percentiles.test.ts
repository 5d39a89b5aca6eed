import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quantileInterval } from '../../../core/stats/quantiles/quantile-interval.ts';
import { percentilesOf } from './percentiles.ts';

test('percentiles have the limits of order statistics, or none with too few values', () => {
  const times = fc.array(fc.double({ min: 0, max: 1e6, noNaN: true }), { minLength: 1, maxLength: 500 });
  fc.assert(
    fc.property(times, (values) => {
      const percentiles = percentilesOf(Float64Array.from(values), { n: values.length });
      for (const [name, p] of [
        ['p50', 0.5],
        ['p90', 0.9],
        ['p99', 0.99],
      ] as const) {
        const { estimate, lower, upper } = quantileInterval({ values, p });
        expect(percentiles[name]).toBe(estimate);
        expect(percentiles.intervals?.[name]).toEqual(lower === null ? undefined : { lower, upper });
      }
    }),
  );
});

test('attempts at a case count together as one value', () => {
  const values = Float64Array.from({ length: 300 }, (_, place) => place + 1);
  const alone = percentilesOf(values.slice(), { n: 300 }).intervals?.p90;
  const repeated = percentilesOf(values.slice(), { n: 60 });
  expect(alone?.lower).toBeGreaterThan(255);
  // Ranks 49 and 59 of 60, each of five attempts.
  const { lowerRank, upperRank } = quantileInterval({
    values: Array.from({ length: 60 }, (_, i) => i),
    p: 0.9,
  });
  expect(repeated.intervals?.p90).toEqual({ lower: 5 * (lowerRank ?? 0), upper: 5 * (upperRank ?? 0) });
  expect(repeated.intervals?.p99).toBeUndefined();
  expect(repeated.intervals?.n).toBe(60);
});
