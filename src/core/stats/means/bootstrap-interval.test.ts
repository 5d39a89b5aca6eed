import { expect, test } from 'vitest';
import { clusterInterval } from '../cluster-interval.ts';
import { createRandom } from '../random.ts';
import { bcaLevels, bootstrapInterval } from './bootstrap-interval.ts';

const SKEWED = [0.05, 0.9, 1, 0.95, 0.3, 1, 0.85, 1, 0.7, 0.9, 1, 0.6];

/** Returns the means of all 4^4 resamples of four values, as distances from their mean. */
function allResamples(values: readonly number[]): Float64Array {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  let sums = [0];
  for (const _ of values) sums = sums.flatMap((sum) => values.map((value) => sum + value - mean));
  return Float64Array.from(sums, (sum) => sum / values.length).sort();
}

test('over all 256 resamples of four values the levels equal those computed by hand', () => {
  // Python with mpmath, 30 digits: values 1, 2, 4, 9; 136.5 of 256 means lie below 4, a = 0.064034771499.
  const values = [1, 2, 4, 9];
  const units = values.map((value) => ({ size: 1, sum: value - 4 }));
  const means = allResamples(values);
  const levels = bcaLevels({ means, strata: [{ share: 1, units }], confidence: 0.95 });
  expect(levels?.lower).toBeCloseTo(0.055693202823819, 10);
  expect(levels?.upper).toBeCloseTo(0.99253773382567, 10);
});

test('the result states seed and number of resamples, which reproduce the interval', () => {
  const interval = bootstrapInterval({ values: SKEWED, seed: 'report', resamples: 2000 });
  expect(interval).toMatchObject({
    status: 'defined',
    seed: 'report',
    resamples: 2000,
    n: 12,
    caution: null,
  });
  expect(bootstrapInterval({ values: SKEWED, seed: 'report', resamples: 2000 })).toEqual(interval);
  expect(bootstrapInterval({ values: SKEWED, seed: 'another', resamples: 2000 })).not.toEqual(interval);
  expect(bootstrapInterval({ values: SKEWED })).toMatchObject({
    seed: 0,
    resamples: 10_000,
    confidence: 0.95,
    method: 'bca-bootstrap',
  });
});

test('BCa leans to the side of the long tail, the percentile interval less', () => {
  const bca = bootstrapInterval({ values: SKEWED });
  const percentile = bootstrapInterval({ values: SKEWED, method: 'percentile' });
  expect(bca.lower).toBeLessThan(percentile.lower as number);
  expect(bca.upper).toBeLessThan(percentile.upper as number);
  expect(percentile.method).toBe('percentile-bootstrap');
});

test.each(['bca', 'percentile'] as const)('%s covers 93 to 97 % for fifty uniform scores', (method) => {
  const random = createRandom(`coverage of ${method}`);
  const runs = 300;
  let covered = 0;
  for (let seed = 0; seed < runs; seed += 1) {
    const values = Array.from({ length: 50 }, () => random.next());
    const { lower, upper } = bootstrapInterval({ values, method, seed, resamples: 500 });
    if ((lower as number) <= 0.5 && (upper as number) >= 0.5) covered += 1;
  }
  expect(Math.abs(covered / runs - 0.95)).toBeLessThan(0.025);
});

test('whole clusters are drawn: the interval is close to that of the cluster-robust standard error', () => {
  const random = createRandom('clusters');
  const clusters = Array.from({ length: 400 }, (_, place) => place % 40);
  const shared = Array.from({ length: 40 }, () => random.next());
  const values = clusters.map((cluster) => (shared[cluster] as number) + 0.2 * random.next());
  const interval = bootstrapInterval({ values, clusters });
  const robust = clusterInterval({ values, clusters });
  expect(interval).toMatchObject({ n: 400, clusters: 40 });
  const width = (robust.upper as number) - (robust.lower as number);
  expect(Math.abs((interval.lower as number) - (robust.lower as number))).toBeLessThan(0.1 * width);
  expect(Math.abs((interval.upper as number) - (robust.upper as number))).toBeLessThan(0.1 * width);
});

test('drawing within categories leaves out the spread between them', () => {
  const values = [0, 0.1, 0, 0.1, 1, 0.9, 1, 0.9, 0.95, 0.05];
  const strata = values.map((value) => (value > 0.5 ? 'easy' : 'hard'));
  const apart = bootstrapInterval({ values, strata });
  const together = bootstrapInterval({ values });
  const width = ({ lower, upper }: { lower: number | null; upper: number | null }) =>
    (upper as number) - (lower as number);
  expect(width(apart)).toBeLessThan(width(together) / 5);
});

test('equal values, a single value and a category of one have an estimate but no interval', () => {
  expect(bootstrapInterval({ values: [0.1, 0.1, 0.1] })).toMatchObject({
    status: 'undefined',
    estimate: 0.1,
    lower: null,
    reason: 'the values do not vary enough to be resampled',
  });
  expect(bootstrapInterval({ values: [1] })).toMatchObject({
    reason: 'a single independent value shows no spread',
  });
  expect(bootstrapInterval({ values: [1, 0], clusters: [1, 1] })).toMatchObject({
    estimate: 0.5,
    clusters: 1,
  });
  expect(bootstrapInterval({ values: [1, 0, 1], strata: ['a', 'a', 'b'] })).toMatchObject({
    status: 'undefined',
    reason: 'a category with a single value shows no spread',
  });
  expect(bootstrapInterval({ values: [] })).toMatchObject({ estimate: null, reason: 'no values' });
});

test('fewer than ten independent values come with a warning', () => {
  expect(bootstrapInterval({ values: [1, 0, 0.5], resamples: 100 }).caution).toBe(
    'only 3 independent values: too few for a bootstrap',
  );
});

test('invalid arguments are refused', () => {
  expect(() => bootstrapInterval({ values: [1, 2], clusters: ['a'] })).toThrow(
    'clusters.length is 1; it must be 2.',
  );
  expect(() => bootstrapInterval({ values: [1, 2], strata: ['a'] })).toThrow('strata.length is 1');
  expect(() => bootstrapInterval({ values: [1, 2], resamples: 0 })).toThrow('resamples is 0');
  expect(() => bootstrapInterval({ values: [1, 2], clusters: ['a', 'a'], strata: [1, 2] })).toThrow(
    'a cluster is in two categories; it must be in one.',
  );
});
