import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import { boundedMeanInterval } from './bounded-mean.ts';
import { createBoundedMeans } from './bounded-means.ts';

const unit = fc.double({ min: 0, max: 1, noNaN: true });

test('values added one by one have the interval of all at once, clustered or not', () => {
  const values = fc.array(fc.tuple(unit, fc.integer({ min: 0, max: 5 })), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(values, fc.boolean(), (all, isClustered) => {
      const means = createBoundedMeans();
      for (const [value, cluster] of all) means.add(value, isClustered ? cluster : undefined);
      const clusters = all.map(([, cluster]) => cluster);
      const areShared = isClustered && new Set(clusters).size < clusters.length;
      const whole = boundedMeanInterval({
        values: all.map(([value]) => value),
        ...(areShared && { clusters }),
      });
      const found = means.interval(0.95);
      expect(found).toMatchObject({ n: all.length, method: 'gaffke', confidence: 0.95 });
      expect(found?.clusters).toBe(whole.clusters);
      expect(found?.estimate).toBeCloseTo(whole.estimate!, 12);
      expect(found?.lower).toBeCloseTo(whole.lower!, 9);
      expect(found?.upper).toBeCloseTo(whole.upper!, 9);
    }),
    { numRuns: 60 },
  );
});

test('questions without a cluster are clusters of their own among others', () => {
  const means = createBoundedMeans();
  const rows: readonly [number, number | undefined][] = [
    [0.4, undefined],
    [0.9, 0],
    [0.8, 0],
    [1, undefined],
  ];
  for (const [value, cluster] of rows) means.add(value, cluster);
  const whole = boundedMeanInterval({ values: rows.map(([value]) => value), clusters: ['a', 'x', 'x', 'b'] });
  expect(means.interval(0.95)?.lower).toBeCloseTo(whole.lower!, 12);
  expect(means.signs()).toEqual({ above: 3, below: 0 });
});

test('very many different values are counted on a grid, with the interval of all at once', () => {
  const random = createRandom('grid');
  const values = Array.from({ length: 6_000 }, () => 2 * random.next() - 1);
  const means = createBoundedMeans([-1, 1]);
  for (const value of values) means.add(value);
  const whole = boundedMeanInterval({ values, range: [-1, 1] });
  expect(means.interval(0.95)?.lower).toBeCloseTo(whole.lower!, 9);
  expect(means.interval(0.95)?.upper).toBeCloseTo(whole.upper!, 9);
});

test('its p-values are below a level exactly where the bound at that level excludes the mean', () => {
  const differences = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 3, maxLength: 30 });
  fc.assert(
    fc.property(differences, (all) => {
      const means = createBoundedMeans([-1, 1]);
      for (const value of all) means.add(value);
      const { lower, upper } = means.interval(0.95)!;
      fc.pre(Math.abs(lower!) > 1e-9 && Math.abs(upper!) > 1e-9);
      const { above, below } = means.chances(0)!;
      expect([above < 0.025, below < 0.025]).toEqual([lower! > 0, upper! < 0]);
    }),
    { numRuns: 60 },
  );
});

test('a value outside the range leaves moments alone', () => {
  const means = createBoundedMeans();
  for (const value of [0.5, 300, 0.2]) means.add(value);
  expect(means.interval(0.95)).toBeUndefined();
  expect(means.chances(0)).toBeUndefined();
  expect(means.current()).toMatchObject({ n: 3 });
  expect(createBoundedMeans().interval(0.95)).toMatchObject({ status: 'undefined', reason: 'no values' });
});
