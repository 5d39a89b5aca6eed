import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clusterInterval } from '../cluster-interval.ts';
import { normalQuantile } from '../normal.ts';
import { pairedSampleSize } from '../planning/sample-size.ts';
import { createRandom } from '../random.ts';
import { pairedT } from './differences.ts';

const SLEEP = {
  a: [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0, 2],
  b: [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4],
};

test('the sleep data of Student 1908 have t = −4.062128 and p = 0.002832890, as in R', () => {
  const test = pairedT(SLEEP);
  expect(test).toMatchObject({
    status: 'defined',
    n: 10,
    degreesOfFreedom: 9,
    confidence: 0.95,
    method: 't',
  });
  expect(test.estimate).toBeCloseTo(-1.58, 14);
  expect(test.statistic).toBeCloseTo(-4.062128, 6);
  expect(test.pValue).toBeCloseTo(0.00283289, 9);
  // R: cor(a, b).
  expect(test.correlation).toBeCloseTo(0.7951702, 7);
});

const pairs = fc.array(
  fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
  {
    minLength: 3,
    maxLength: 30,
  },
);

test('swapping the bots mirrors the difference and keeps p', () => {
  fc.assert(
    fc.property(pairs, (both) => {
      const [a, b] = [both.map(([x]) => x), both.map(([, y]) => y)];
      const test = pairedT({ a, b });
      const swapped = pairedT({ a: b, b: a });
      fc.pre(test.status === 'defined' && swapped.status === 'defined');
      expect(swapped.pValue).toBeCloseTo(test.pValue as number, 10);
      expect(swapped.estimate).toBeCloseTo(-test.estimate, 12);
    }),
  );
});

test('p is below 5 % exactly when the 95 % interval excludes 0', () => {
  fc.assert(
    fc.property(pairs, (both) => {
      const { pValue, lower, upper } = pairedT({ differences: both.map(([x, y]) => x - y) });
      fc.pre(pValue !== null && Math.abs(pValue - 0.05) > 1e-9);
      expect((lower as number) > 0 || (upper as number) < 0).toBe(pValue < 0.05);
    }),
  );
});

test('the standard error agrees with the correlation of the bots', () => {
  const { standardError, correlation } = pairedT(SLEEP);
  // R: sd(a) and sd(b).
  const [a, b] = [1.78901, 2.002249];
  const identity = Math.sqrt((a * a + b * b - 2 * (correlation as number) * a * b) / 10);
  expect(standardError).toBeCloseTo(identity, 5);
});

test('with clusters the interval is the cluster-robust interval of the differences', () => {
  const clusters = [1, 1, 2, 2, 3, 3, 4, 4, 5, 5];
  const differences = SLEEP.a.map((value, place) => value - (SLEEP.b[place] as number));
  const robust = clusterInterval({ values: differences, clusters });
  const { statistic, pValue, correlation, ...interval } = pairedT({ differences, clusters });
  expect(interval).toEqual(robust);
  expect(statistic).toBeCloseTo((robust.estimate as number) / (robust.standardError as number), 12);
  expect(pValue).toBeGreaterThan(0);
  expect(correlation).toBeNull();
});

test('the test detects a regression of the planned size with the planned power; its false positive rate is 5 %', () => {
  const [deviation, power] = [0.3, 0.8];
  const { n } = pairedSampleSize({ difference: 0.1, standardDeviation: deviation, power });
  const random = createRandom('planted');
  const shareFound = (truth: number): number => {
    let found = 0;
    for (let run = 0; run < 3000; run += 1) {
      const differences = Array.from(
        { length: n },
        () => truth + deviation * normalQuantile(random.next() || 0.5),
      );
      if ((pairedT({ differences }).pValue as number) < 0.05) found += 1;
    }
    return found / 3000;
  };
  expect(shareFound(-0.1)).toBeGreaterThan(power - 0.03);
  expect(shareFound(0)).toBeLessThan(0.065);
});

test('differences that do not vary have only an estimate', () => {
  for (const differences of [
    [0, 0, 0],
    [0.1, 0.1, 0.1],
  ]) {
    expect(pairedT({ differences })).toMatchObject({
      status: 'undefined',
      estimate: differences[0],
      lower: null,
      standardError: null,
      pValue: null,
      reason: 'the differences do not vary',
    });
  }
  // 0.3 − 0.1 and 0.8 − 0.6 differ in the last digit only.
  expect(pairedT({ a: [0.3, 0.8], b: [0.1, 0.6] })).toMatchObject({ status: 'undefined', correlation: 1 });
  expect(pairedT({ differences: [0.2] })).toMatchObject({ reason: 'a single value shows no spread' });
  expect(pairedT({ differences: [] })).toMatchObject({
    estimate: null,
    statistic: null,
    reason: 'no values',
  });
  expect(pairedT({ a: [1, 1], b: [0, 1] }).correlation).toBeNull();
});

test('lists of different length are refused', () => {
  expect(() => pairedT({ a: [1, 2], b: [1] })).toThrow('b.length is 1; it must be 2, as of a.');
  expect(() => pairedT({ differences: [1, Number.NaN] })).toThrow('value 2 is NaN');
});
