import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clusterInterval } from './cluster-interval.ts';
import { meanInterval } from './mean-interval.ts';
import { normalQuantile } from './normal.ts';
import { createRandom } from './random.ts';

test('eleven scores in five clusters have the independently computed limits', () => {
  // numpy, by the matrices of Bell and McCaffrey: CR2 0.15669827797839952 on 3.501756282085923 degrees of freedom.
  const values = [0.9, 0.8, 1, 0.2, 0.35, 0.1, 0.6, 0.7, 0.55, 0.95, 0.4];
  const clusters = ['a', 'a', 'a', 'b', 'b', 'b', 'c', 'c', 'd', 'e', 'e'];
  const interval = clusterInterval({ values, clusters, confidence: 0.95 });
  expect(interval).toMatchObject({ status: 'defined', n: 11, clusters: 5, method: 'cluster-robust-t' });
  expect(interval.estimate).toBeCloseTo(0.5954545454545455, 15);
  expect(interval.lower).toBeCloseTo(0.13485526860036162, 12);
  expect(interval.upper).toBeCloseTo(1.0560538223087295, 12);
  // mpmath with 40 digits: CR1 0.14956308885087814 on 4 degrees of freedom.
  const older = clusterInterval({ values, clusters, confidence: 0.95, correction: 'CR1' });
  expect(older.lower).toBeCloseTo(0.18020083949626203, 13);
  expect(older.upper).toBeCloseTo(1.010708251412829, 13);
});

test('for five clusters of eight with intraclass correlation 0.3 the interval covers 95 %, the plain interval 72 %', () => {
  const random = createRandom('coverage');
  const normal = () => normalQuantile(random.next() || 0.5);
  const clusters = Array.from({ length: 40 }, (_, i) => Math.floor(i / 8));
  const runs = 4000;
  let plain = 0;
  let robust = 0;
  for (let run = 0; run < runs; run += 1) {
    const shared = Array.from({ length: 5 }, () => Math.sqrt(0.3) * normal());
    const values = clusters.map((cluster) => (shared[cluster] as number) + Math.sqrt(0.7) * normal());
    if (holdsZero(meanInterval({ values, confidence: 0.95 }))) plain += 1;
    if (holdsZero(clusterInterval({ values, clusters, confidence: 0.95 }))) robust += 1;
  }
  expect(Math.abs(plain / runs - 0.72)).toBeLessThan(0.025);
  expect(Math.abs(robust / runs - 0.95)).toBeLessThan(0.012);
});

test.each([20, 100, 300])('with %d scores in clusters it covers 93 to 97 %', (n) => {
  const random = createRandom(`clusters of ${n}`);
  const normal = () => normalQuantile(random.next() || 0.5);
  const clusters = Array.from({ length: n }, (_, i) => i % (n / 5));
  const runs = 3000;
  let covered = 0;
  for (let run = 0; run < runs; run += 1) {
    const shared = clusters.map(normal);
    const values = clusters.map((cluster) => 0.6 * (shared[cluster] as number) + normal());
    if (holdsZero(clusterInterval({ values, clusters }))) covered += 1;
  }
  expect(Math.abs(covered / runs - 0.95)).toBeLessThan(0.02);
});

test('no values have no mean, and one cluster has a mean but no interval', () => {
  expect(clusterInterval({ values: [], clusters: [], confidence: 0.95 })).toMatchObject({
    status: 'undefined',
    estimate: null,
    reason: 'no values',
    n: 0,
    clusters: 0,
  });
  expect(clusterInterval({ values: [1, 0], clusters: ['a', 'a'], confidence: 0.95 })).toMatchObject({
    status: 'undefined',
    estimate: 0.5,
    lower: null,
    upper: null,
    reason: 'a single cluster shows no spread',
    n: 2,
    clusters: 1,
  });
});

test('negative dependence within clusters narrows the interval, even to nothing', () => {
  const values = [0, 1, 0, 1];
  const interval = clusterInterval({ values, clusters: [1, 1, 2, 2], confidence: 0.95 });
  expect(interval).toMatchObject({ status: 'defined', lower: 0.5, upper: 0.5 });
});

const scores = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 40 });

test('clusters of one value each give the plain t interval', () => {
  fc.assert(
    fc.property(scores, (values) => {
      const clustered = clusterInterval({ values, clusters: values.map((_, i) => i), confidence: 0.95 });
      const plain = meanInterval({ values, confidence: 0.95 });
      expect(clustered.estimate).toBeCloseTo(plain.estimate as number, 13);
      expect(clustered.lower).toBeCloseTo(plain.lower as number, 12);
      expect(clustered.upper).toBeCloseTo(plain.upper as number, 12);
    }),
  );
});

test('neither the order of the values nor the names of the clusters matter', () => {
  fc.assert(
    fc.property(scores, (values) => {
      const clusters = values.map((_, i) => i % 2);
      const interval = clusterInterval({ values, clusters, confidence: 0.95 });
      const reversed = clusterInterval({
        values: values.toReversed(),
        clusters: clusters.toReversed().map((cluster) => `document ${cluster}`),
        confidence: 0.95,
      });
      expect(reversed.lower).toBeCloseTo(interval.lower as number, 12);
      expect(reversed.upper).toBeCloseTo(interval.upper as number, 12);
    }),
  );
});

test('arrays of different length and values that are not finite are refused', () => {
  expect(() => clusterInterval({ values: [1, 2], clusters: ['a'], confidence: 0.95 })).toThrow(
    'clusters.length is 1; it must be 2.',
  );
  expect(() => clusterInterval({ values: [1, Infinity], clusters: [1, 2], confidence: 0.95 })).toThrow(
    'value 2 is Infinity; it must be finite.',
  );
});

function holdsZero({ lower, upper }: { lower: number | null; upper: number | null }): boolean {
  return lower !== null && upper !== null && lower <= 0 && upper >= 0;
}
