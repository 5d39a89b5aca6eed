import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quantile } from '../quantile.ts';
import { createRandom } from '../random.ts';
import { createHistogram } from './histogram.ts';

const latencies = fc.array(
  fc.oneof(fc.double({ min: 0, max: 1e7, noNaN: true }), fc.double({ min: 1e-6, max: 1, noNaN: true })),
  { minLength: 1, maxLength: 200 },
);

function histogramOf(values: readonly number[], relativeError?: number) {
  const histogram = createHistogram(relativeError === undefined ? {} : { relativeError });
  for (const value of values) histogram.add(value);
  return histogram;
}

test('every quantile is within the stated share of the nearest-rank one', () => {
  fc.assert(
    fc.property(
      latencies,
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.constantFrom(0.25, 0.01, 0.001, 1e-6),
      (values, p, asked) => {
        const { value, relativeError } = histogramOf(values, asked).quantile({ p });
        const exact = quantile({ values, p, method: 'nearest-rank' }).value as number;
        expect(relativeError).toBeLessThanOrEqual(asked);
        fc.pre(exact === 0 || exact > 1e-300);
        expect(Math.abs((value as number) - exact)).toBeLessThanOrEqual(relativeError * exact);
      },
    ),
    { numRuns: 500 },
  );
});

test('a hundred thousand skewed latencies take few buckets and little error', () => {
  const random = createRandom('latency');
  const values = Array.from(
    { length: 100_000 },
    () => 200 * Math.exp(2 * (random.next() + random.next() - 1)),
  );
  const histogram = histogramOf(values);
  for (const p of [0.5, 0.9, 0.99, 0.999]) {
    const exact = quantile({ values, p, method: 'nearest-rank' }).value as number;
    expect(Math.abs((histogram.quantile({ p }).value as number) / exact - 1)).toBeLessThan(0.001);
  }
  expect(histogram.serialise().buckets.length).toBeLessThan(5000);
});

test('smallest, largest and mean are exact', () => {
  const histogram = histogramOf([100, 1000, 3.3]);
  expect(histogram.summary()).toEqual({ n: 3, mean: expect.closeTo(1103.3 / 3, 12), min: 3.3, max: 1000 });
  expect(histogram.quantile({ p: 0 }).value).toBe(3.3);
  expect(histogram.quantile({ p: 1 }).value).toBe(1000);
});

test('merged parts equal the whole, in any order, also after serialising', () => {
  fc.assert(
    fc.property(latencies, latencies, (first, second) => {
      const whole = histogramOf([...first, ...second]);
      const parts = histogramOf(second);
      parts.merge(JSON.parse(JSON.stringify(histogramOf(first).serialise())));
      const { sum, ...data } = parts.serialise();
      expect({ ...data, sum: whole.serialise().sum }).toEqual(whole.serialise());
      expect(Math.abs(sum / whole.serialise().sum - 1) || 0).toBeLessThan(1e-12);
    }),
  );
});

test('a serialised histogram can be continued', () => {
  const histogram = histogramOf([5, 7, 7], 0.01);
  const restored = createHistogram({ from: JSON.parse(JSON.stringify(histogram.serialise())) });
  expect(restored.serialise()).toEqual(histogram.serialise());
  restored.merge(histogram);
  restored.add(9, 4);
  expect(restored.summary()).toMatchObject({ n: 10, max: 9 });
  expect(restored.quantile({ p: 0.5 }).relativeError).toBeLessThanOrEqual(0.01);
});

test('an empty histogram has no quantiles and no mean', () => {
  const empty = createHistogram();
  expect(empty.quantile({ p: 0.95 })).toMatchObject({
    status: 'undefined',
    value: null,
    n: 0,
    reason: 'no values',
  });
  expect(empty.summary()).toEqual({ n: 0, mean: null, min: null, max: null });
  const full = histogramOf([1, 2]);
  full.merge(empty.serialise());
  expect(full.summary()).toMatchObject({ n: 2, min: 1, max: 2 });
  expect(createHistogram({ from: empty.serialise() }).serialise()).toEqual(empty.serialise());
});

test('zeros are counted as zeros', () => {
  expect(histogramOf([0, 0, 0, 8]).quantile({ p: 0.5 }).value).toBe(0);
});

test('invalid values, resolutions and data are refused', () => {
  const histogram = histogramOf([1, 2]);
  const data = histogram.serialise();
  expect(() => histogram.add(-1)).toThrow('value is -1; it must be finite and at least 0.');
  expect(() => histogram.add(Number.NaN)).toThrow('value is NaN');
  expect(() => histogram.add(1, 0)).toThrow('count is 0');
  expect(() => histogram.quantile({ p: 95 })).toThrow('p is 95');
  expect(() => createHistogram({ relativeError: 0 })).toThrow('relativeError is 0');
  expect(() => histogram.merge(createHistogram({ relativeError: 0.1 }))).toThrow('bits is 3; it must be 9');
  expect(() => createHistogram({ from: { ...data, n: 5 } })).toThrow(
    'n is 5; it must be 2, the sum of the counts.',
  );
  expect(() => createHistogram({ from: { ...data, bits: 40 } })).toThrow('bits is 40');
  expect(() => createHistogram({ from: { ...data, min: 3 } })).toThrow('min and max is 3 and 2');
  expect(() => createHistogram({ from: { ...data, buckets: [[1, -2]] } })).toThrow('a count is -2');
  expect(() => createHistogram({ from: { ...data, buckets: [...data.buckets].toReversed() } })).toThrow(
    'a bucket is',
  );
});
