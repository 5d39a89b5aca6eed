import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundedMeanInterval } from '../../../core/stats/means/bounded-mean.ts';
import { mcnemar } from '../../../core/stats/paired/mcnemar.ts';
import { pairedT } from '../../../core/stats/paired/differences.ts';
import { tangoInterval } from '../../../core/stats/paired/tango-interval.ts';
import { createRandom } from '../../../core/stats/random.ts';
import { createDifferenceTally, testDifferences } from './differences.ts';

interface Pairs {
  readonly older: readonly number[];
  readonly newer: readonly number[];
  readonly clusters?: readonly number[];
  readonly unit?: string;
}

function tested({ older, newer, clusters, unit }: Pairs) {
  const tally = createDifferenceTally();
  for (const [place, value] of older.entries()) tally.add([value, newer[place]!], clusters?.[place]);
  return testDifferences(tally.summarize(), unit);
}

const score = fc.integer({ min: 0, max: 8 }).map((eighths) => eighths / 8 + 0.001);
const pairs = fc.array(fc.tuple(score, score, fc.integer({ min: 0, max: 6 })), {
  minLength: 5,
  maxLength: 60,
});

test('quantities added one by one give the paired t test over all of them, clustered or not', () => {
  fc.assert(
    fc.property(pairs, fc.boolean(), (all, isClustered) => {
      const older = all.map(([before]) => before);
      const newer = all.map(([, after]) => after);
      const clusters = isClustered ? all.map(([, , cluster]) => cluster) : undefined;
      const { estimate, pValue } = tested({ older, newer, unit: 's', ...(clusters && { clusters }) });
      const areShared = clusters !== undefined && new Set(clusters).size < clusters.length;
      const whole = pairedT({ a: newer, b: older, ...(areShared && { clusters }) });
      expect(estimate.value).toBeCloseTo(whole.estimate!, 12);
      expect(estimate.method).toBe(whole.method);
      if (whole.status === 'undefined') {
        expect(estimate).toMatchObject({ lower: null, upper: null, reason: whole.reason });
        return;
      }
      expect(estimate.lower).toBeCloseTo(whole.lower, 10);
      expect(estimate.upper).toBeCloseTo(whole.upper, 10);
      expect(pValue).toBeCloseTo(whole.pValue!, 10);
    }),
  );
});

test('scores added one by one have the bounds of all of them, and a p-value below 5 % where these exclude 0', () => {
  fc.assert(
    fc.property(pairs, fc.boolean(), (all, isClustered) => {
      const older = all.map(([before]) => before);
      const newer = all.map(([, after]) => after);
      const clusters = isClustered ? all.map(([, , cluster]) => cluster) : undefined;
      const { estimate, pValue } = tested({ older, newer, ...(clusters && { clusters }) });
      const areShared = clusters !== undefined && new Set(clusters).size < clusters.length;
      const values = newer.map((value, place) => value - older[place]!);
      const whole = boundedMeanInterval({ values, range: [-1, 1], ...(areShared && { clusters }) });
      expect(estimate.method).toBe('gaffke');
      expect(estimate.lower).toBeCloseTo(whole.lower!, 9);
      expect(estimate.upper).toBeCloseTo(whole.upper!, 9);
      if (pValue !== null) expect(pValue < 0.05).toBe(whole.lower! > 0 || whole.upper! < 0);
    }),
  );
});

test('passes and fails have Tango’s interval and McNemar’s mid-p', () => {
  const truth = fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 0, max: 1 }));
  fc.assert(
    fc.property(fc.array(truth, { minLength: 5, maxLength: 60 }), (all) => {
      const count = (before: number, after: number) =>
        all.filter(([b, a]) => b === before && a === after).length;
      const counts = { both: count(1, 1), aOnly: count(0, 1), bOnly: count(1, 0), neither: count(0, 0) };
      const { estimate, pValue } = tested({ older: all.map(([b]) => b), newer: all.map(([, a]) => a) });
      const { lower, upper } = tangoInterval(counts);
      expect(estimate).toMatchObject({ method: 'tango', lower, upper, n: all.length });
      expect(pValue).toBe(mcnemar(counts).pValue);
    }),
  );
});

test('quantities of equal differences have no interval, and the probability of so many equal signs as p-value', () => {
  const same = { older: [0.2, 0.4, 0.3, 0.1, 0.5, 0.6], newer: [0.3, 0.5, 0.4, 0.2, 0.6, 0.7], unit: 's' };
  const { estimate, pValue, standardDeviation } = tested(same);
  expect(estimate).toMatchObject({ lower: null, upper: null, reason: 'the differences do not vary' });
  expect(estimate.value).toBeCloseTo(0.1, 12);
  expect(pValue).toBe(2 / 2 ** 6);
  expect(standardDeviation).toBeNull();
});

test('scores of equal differences have the bounds that so many leave open, and are better on most questions', () => {
  const { estimate, pValue, signPValue, standardDeviation } = tested({
    older: [0.2, 0.4, 0.3, 0.1, 0.5, 0.6],
    newer: [0.3, 0.5, 0.4, 0.2, 0.6, 0.7],
  });
  // Partial fractions, with 250 digits.
  expect(estimate.lower).toBeCloseTo(-0.405183939083891, 10);
  expect(estimate.upper).toBeCloseTo(0.51333231379591, 10);
  expect(signPValue).toBeCloseTo(2 ** -6, 12);
  expect([pValue, standardDeviation]).toEqual([1, null]);
  expect(tested({ older: [0.3, 0.3, 0.3, 0.3, 0.3], newer: [0.3, 0.3, 0.3, 0.3, 0.3] }).pValue).toBe(1);
});

test('fewer than five pairs, or a single cluster, have no p-value', () => {
  expect(tested({ older: [0, 0, 0, 0], newer: [1, 1, 1, 1] }).pValue).toBeNull();
  const cluster = {
    older: [0.1, 0.2, 0.4, 0.3, 0.6],
    newer: [0.3, 0.6, 0.5, 0.4, 0.7],
    clusters: [0, 0, 0, 0, 0],
  };
  expect(tested(cluster)).toMatchObject({ pValue: null, signPValue: null });
  expect(tested({ ...cluster, unit: 's' })).toMatchObject({
    pValue: null,
    estimate: { reason: 'a single cluster shows no spread' },
  });
  expect(tested({ older: [], newer: [] })).toMatchObject({ pValue: null, estimate: { value: null, n: 0 } });
});

/** Draws questions of which one in twenty breaks in the newer version, whose mean is the same as of the older one. */
function drawRareBreaks(n: number, next: () => number): Pairs {
  const older = Array.from({ length: n }, () => 0.85 + 0.02 * next());
  // 19 of 20 gain 0.045 on average, one loses 0.855: the mean difference is 0.
  const newer = older.map((value) => (next() < 0.05 ? value - 0.855 + 0.01 * next() - 0.005 : value + 0.045));
  return { older, newer };
}

test.each([5, 10, 20, 50])('with %d questions, rare breaks make no version of equal mean better', (n) => {
  const random = createRandom(`rare breaks ${n}`);
  const runs = 300;
  let [wrong, onMost] = [0, 0];
  for (let run = 0; run < runs; run += 1) {
    const { pValue, signPValue } = tested(drawRareBreaks(n, () => random.next()));
    wrong += Number(pValue !== null && pValue < 0.05);
    onMost += Number(typeof signPValue === 'number' && signPValue < 0.05);
  }
  expect(wrong / runs).toBeLessThanOrEqual(0.05);
  // Most questions did get better, and that is what is said.
  expect(onMost / runs).toBeGreaterThan(0.75);
});
