import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clusterInterval } from '../cluster-interval.ts';
import { createRandom } from '../random.ts';
import { boundedMeanBounds, boundedMeanInterval } from './bounded-mean.ts';
import { createBoundedMeans } from './bounded-means.ts';
import { meanOfClusters } from './mean-of-clusters.ts';
import { collectWeighted } from './weighted-values.ts';

const share = fc.integer({ min: 0, max: 8 }).map((eighths) => eighths / 8);
const rows = fc.array(fc.tuple(share, fc.integer({ min: 0, max: 5 })), { minLength: 1, maxLength: 40 });

function meansOf(values: readonly number[], weights?: readonly number[], clusters?: readonly number[]) {
  const means = createBoundedMeans();
  for (const [place, value] of values.entries()) means.add(value, clusters?.[place], weights?.[place]);
  return means;
}

test('the mean is the weighted one, with the effective number of cases of Kish', () => {
  const moments = meansOf([1, 0, 0.5], [2.5, 1, 10]).current();
  expect(moments.mean).toBeCloseTo(7.5 / 13.5, 14);
  expect(moments.effectiveCases).toBeCloseTo(13.5 ** 2 / (6.25 + 1 + 100), 12);
  expect(moments.n).toBe(3);
});

test('values of one weight have every number of values without weights, bit for bit', () => {
  fc.assert(
    fc.property(
      rows,
      fc.double({ min: 0.01, max: 1000, noNaN: true }),
      fc.boolean(),
      (found, weight, isClustered) => {
        const values = found.map(([value]) => value);
        const weights = values.map(() => weight);
        const clusters = isClustered ? found.map(([, cluster]) => cluster) : undefined;
        const [plain, weighted] = [meansOf(values, undefined, clusters), meansOf(values, weights, clusters)];
        expect(weighted.current()).toEqual(plain.current());
        expect(weighted.interval(0.95)).toEqual(plain.interval(0.95));
        expect(weighted.chances(0.4)).toEqual(plain.chances(0.4));
        const options = { values, ...(clusters && { clusters }) };
        expect(boundedMeanBounds({ ...options, weights })).toEqual(boundedMeanBounds(options));
      },
    ),
  );
});

test('only the ratios of weights matter', () => {
  const values = [1, 0, 1, 0.25, 0.75, 1, 1];
  const weights = [1, 2, 5, 1, 0.5, 3, 8];
  const once = meansOf(values, weights);
  const twice = meansOf(
    values,
    weights.map((weight) => 64 * weight),
  );
  expect(twice.current()).toEqual(once.current());
  expect(twice.interval(0.95)).toEqual(once.interval(0.95));
});

test('collected values have the bounds of a list, with clusters and without', () => {
  const values = [1, 0, 1, 0.25, 0.75, 1, 1];
  const weights = [1, 2, 5, 1, 0.5, 3, 8];
  for (const clusters of [undefined, [0, 0, 1, 1, 2, 3, 4]]) {
    const list = boundedMeanInterval({ values, weights, ...(clusters && { clusters }) });
    expect(meansOf(values, weights, clusters).interval(0.95)).toEqual(list);
  }
});

test('a weighted value is a cluster of that size: the limits are those of so many equal values of one cluster', () => {
  const values = [1, 0, 1, 1, 0.5];
  const weights = [3, 1, 2, 1, 4];
  const repeated = values.flatMap((value, place) => Array<number>(weights[place]!).fill(value));
  const clusters = values.flatMap((_, place) => Array<number>(weights[place]!).fill(place));
  const weighted = boundedMeanInterval({ values, weights });
  const spelt = boundedMeanInterval({ values: repeated, clusters });
  expect(weighted.estimate).toBeCloseTo(spelt.estimate!, 12);
  expect(weighted.lower).toBeCloseTo(spelt.lower!, 9);
  expect(weighted.upper).toBeCloseTo(spelt.upper!, 9);
  const [t, ofClusters] = [
    meanOfClusters(collectWeighted({ values, weights }).current()!.moments()),
    clusterInterval({ values: repeated, clusters }),
  ];
  expect(t.method).toBe('weighted-t');
  expect(t.lower).toBeCloseTo(ofClusters.lower!, 9);
  expect(t.upper).toBeCloseTo(ofClusters.upper!, 9);
});

test('a heavy case that failed pulls the mean and its limits down', () => {
  const values = [...Array<number>(19).fill(1), 0];
  const heavy = [...Array<number>(19).fill(1), 50];
  const light = [...Array<number>(19).fill(50), 1];
  expect(boundedMeanInterval({ values, weights: heavy }).estimate).toBeCloseTo(19 / 69, 12);
  expect(boundedMeanInterval({ values, weights: light }).estimate).toBeCloseTo(950 / 951, 12);
  expect(boundedMeanInterval({ values, weights: heavy }).upper!).toBeLessThan(0.99);
  expect(boundedMeanInterval({ values, weights: light }).lower!).toBeGreaterThan(0.8);
});

test.each([0, -1, Number.NaN, Infinity])('the weight %d is refused', (weight) => {
  expect(() => meansOf([1], [weight])).toThrow(/weight is .*; it must be a finite number above 0/);
});

// Weights of 1 to 3 and of 1 to 50, values of 0 and 1 and near 1; the whole table is in bench/weights.ts.
test.each([
  ['0 and 1', 3, (random: () => number) => Number(random() < 0.9), 0.9],
  ['0 and 1', 50, (random: () => number) => Number(random() < 0.9), 0.9],
  ['near 1', 50, (random: () => number) => (random() < 0.05 ? 0 : 0.95 + 0.05 * random()), 0.95 * 0.975],
] as const)(
  '95 %% intervals of values of %s with weights of 1 to %d cover at least as often',
  (_, most, draw, mean) => {
    const random = createRandom(`weights ${most} ${mean}`);
    const next = () => random.next();
    let [covered, rounds] = [0, 0];
    for (const n of [10, 20, 50]) {
      for (let round = 0; round < 100; round += 1) {
        const means = createBoundedMeans();
        for (let count = 0; count < n; count += 1) means.add(draw(next), undefined, most ** next());
        const { lower, upper } = means.interval(0.95)!;
        covered += Number(lower! <= mean && mean <= upper!);
        rounds += 1;
      }
    }
    expect(covered / rounds).toBeGreaterThan(0.95);
  },
);
