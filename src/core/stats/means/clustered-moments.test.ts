import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clusterInterval } from '../cluster-interval.ts';
import { meanInterval } from '../mean-interval.ts';
import { createClusteredMoments } from './clustered-moments.ts';
import { meanOfClusters } from './mean-of-clusters.ts';

/** Collects values with their clusters, one letter each; `-` for a value without a cluster. */
function collect(values: readonly number[], clusters: string) {
  const moments = createClusteredMoments();
  const names = [...new Set(clusters.replaceAll('-', ''))];
  for (const [place, value] of values.entries()) {
    const name = clusters[place] ?? '-';
    moments.add(value, name === '-' ? undefined : names.indexOf(name));
  }
  return moments.current();
}

const scores = [0.9, 0.8, 1, 0.2, 0.35, 0.1, 0.6, 0.7, 0.55, 0.95, 0.4];

test('both variances and the degrees of freedom are those of the matrices of Bell and McCaffrey', () => {
  // numpy: (I − H)^(−1/2) by an eigenvalue decomposition; CR1 as in statsmodels 0.14, OLS with cov_type='cluster'.
  const { spread } = collect(scores, 'aaabbbccdee');
  expect(spread?.clusters).toBe(5);
  expect(spread?.effectiveClusters).toBeCloseTo(4.481481481481482, 12);
  expect(spread?.variance).toBeCloseTo(0.022369117546615663, 15);
  expect(spread?.unbiasedVariance).toBeCloseTo(0.024554350321395788, 15);
  expect(spread?.degreesOfFreedom).toBeCloseTo(3.501756282085922, 10);
});

test('a value without a cluster is a cluster of its own, at any position', () => {
  const named = collect(scores, 'aaabbbccdef');
  for (const clusters of ['aaabbbcc---', 'aaabbbcc-e-', 'aaabbbccd-f']) {
    const moments = collect(scores, clusters);
    expect(moments.spread?.clusters).toBe(6);
    expect(moments.spread?.variance).toBeCloseTo(named.spread?.variance ?? 0, 15);
    expect(moments.spread?.unbiasedVariance).toBeCloseTo(named.spread?.unbiasedVariance ?? 0, 15);
  }
});

test('clusters of one value each change nothing', () => {
  const moments = collect(scores, 'abcdefgh--k');
  expect(moments.spread).toBeUndefined();
  expect(meanOfClusters(moments)).toEqual(meanInterval({ values: scores }));
});

test('values that are collected one at a time have the interval of all at once, near 0 and far from it', () => {
  const arbitrary = fc.array(
    fc.tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.option(fc.nat({ max: 6 }), { nil: undefined })),
    { minLength: 2, maxLength: 40 },
  );
  fc.assert(
    fc.property(arbitrary, fc.constantFrom(0, 1e6), (pairs, far) => {
      const values = pairs.map(([value]) => value + far);
      const moments = createClusteredMoments();
      for (const [place, [, cluster]] of pairs.entries()) moments.add(values[place] as number, cluster);
      const current = moments.current();
      const found = meanOfClusters(current);
      if (current.spread === undefined) {
        expect(found).toEqual(meanInterval({ values }));
        return;
      }
      const clusters = pairs.map(([, cluster], place) => cluster ?? `#${place}`);
      const expected = clusterInterval({ values, clusters });
      expect(found).toMatchObject({ status: expected.status, n: values.length, clusters: expected.clusters });
      expect(found.estimate).toBeCloseTo(expected.estimate as number, 9);
      if (found.status === 'undefined' || expected.status === 'undefined') return;
      expect(found.lower).toBeCloseTo(expected.lower, far === 0 ? 11 : 6);
      expect(found.upper).toBeCloseTo(expected.upper, far === 0 ? 11 : 6);
    }),
  );
});

test('for clusters of one size both variances are the same, with one degree of freedom less than clusters', () => {
  const { spread } = collect(scores.slice(0, 9), 'aaabbbccc');
  expect(spread?.unbiasedVariance).toBeCloseTo(spread?.variance ?? 0, 15);
  expect(spread?.degreesOfFreedom).toBeCloseTo(2, 12);
  expect(spread?.effectiveClusters).toBeCloseTo(3, 12);
});
