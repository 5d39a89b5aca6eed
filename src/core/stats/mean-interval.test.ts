import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clusterInterval } from './cluster-interval.ts';
import type { Interval } from './interval.ts';
import { bootstrapInterval } from './means/bootstrap-interval.ts';
import { stratifiedMean } from './means/stratified-mean.ts';
import { createMeanAccumulator, meanInterval } from './mean-interval.ts';
import { studentTQuantile } from './student-t.ts';

const SCORES = [0.9, 0.8, 1, 0.2, 0.35, 0.1, 0.6, 0.7, 0.55, 0.95, 0.4];

test('the interval of eleven scores has the independently computed limits', () => {
  // mpmath with 40 digits, the t quantile by root finding on betainc.
  const interval = meanInterval({ values: SCORES, confidence: 0.95 });
  expect(interval).toMatchObject({ status: 'defined', n: 11, confidence: 0.95, method: 't' });
  expect(interval.estimate).toBeCloseTo(0.5954545454545455, 15);
  expect(interval.lower).toBeCloseTo(0.3897807800916168, 14);
  expect(interval.upper).toBeCloseTo(0.801128310817474, 14);
});

test('the sleep data of Student 1908 give the interval that R prints', () => {
  const values = [-1.2, -2.4, -1.3, -1.3, 0, -1, -1.8, -0.8, -4.6, -1.4];
  const interval = meanInterval({ values, confidence: 0.95 });
  expect(interval.lower).toBeCloseTo(-2.4598858, 7);
  expect(interval.upper).toBeCloseTo(-0.7001142, 7);
});

test('twelve scores with mean 0.641667 and standard error 0.093508 have limits 0.435858 and 0.847476', () => {
  const distance = 0.093508 * Math.sqrt(11);
  const values = Array.from({ length: 12 }, (_, i) => 0.641667 + (i % 2 === 0 ? distance : -distance));
  const interval = meanInterval({ values, confidence: 0.95 });
  expect(Math.abs((interval.lower as number) - 0.435858)).toBeLessThan(2e-6);
  expect(Math.abs((interval.upper as number) - 0.847476)).toBeLessThan(2e-6);
});

test('without values there is no mean, and one value has a mean but no interval', () => {
  expect(meanInterval({ values: [], confidence: 0.95 })).toEqual({
    status: 'undefined',
    estimate: null,
    lower: null,
    upper: null,
    standardError: null,
    degreesOfFreedom: null,
    reason: 'no values',
    n: 0,
    confidence: 0.95,
    method: 't',
  });
  expect(meanInterval({ values: [0.7], confidence: 0.95 })).toMatchObject({
    status: 'undefined',
    estimate: 0.7,
    lower: null,
    upper: null,
    reason: 'a single value shows no spread',
    n: 1,
  });
});

test('the interval states its standard error and degrees of freedom, and its default confidence is 95 %', () => {
  const interval = meanInterval({ values: [1, 2, 3] });
  expect(interval).toMatchObject({ confidence: 0.95, degreesOfFreedom: 2 });
  expect(interval.standardError).toBeCloseTo(1 / Math.sqrt(3), 15);
  expect(createMeanAccumulator().interval()).toMatchObject({ confidence: 0.95, status: 'undefined' });
});

test('equal values have an interval of width exactly 0', () => {
  const interval = meanInterval({ values: [0.1, 0.1, 0.1], confidence: 0.95 });
  expect(interval).toMatchObject({ status: 'defined', estimate: 0.1, lower: 0.1, upper: 0.1 });
});

test.each([0, 1024, 2 ** 30])('a million values from %d on keep twelve digits', (offset) => {
  // A permutation of offset + k / 2^20 for k = 0 … P − 1, whose mean and variance are known in closed form.
  const P = 1_000_003;
  const accumulator = createMeanAccumulator();
  for (let i = 0; i < P; i += 1) {
    accumulator.add(offset + ((i * 7919) % P) / 2 ** 20);
  }
  const { estimate, lower, upper } = accumulator.interval({ confidence: 0.95 });
  const t = studentTQuantile({ p: 0.975, degreesOfFreedom: P - 1 });
  const margin = (t * Math.sqrt((P + 1) / 12)) / 2 ** 20;
  const mean = offset + (P - 1) / 2 / 2 ** 20;
  expect(Math.abs((estimate as number) / mean - 1)).toBeLessThan(1e-15);
  const width = (upper as number) - (lower as number);
  // The limits themselves are rounded to the last digit of numbers near the mean.
  expect(Math.abs(width - 2 * margin)).toBeLessThan(1e-14 * width + 2 ** -52 * mean);
});

const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 2, maxLength: 60 });

test('the accumulator returns exactly the numbers of the batch, at every length', () => {
  fc.assert(
    fc.property(values, (all) => {
      const accumulator = createMeanAccumulator();
      all.forEach((value, i) => {
        accumulator.add(value);
        const batch = meanInterval({ values: all.slice(0, i + 1), confidence: 0.9 });
        expect(accumulator.interval({ confidence: 0.9 })).toEqual(batch);
      });
    }),
  );
});

test('the order of the values does not matter', () => {
  fc.assert(
    fc.property(values, (all) => {
      // The squares of still smaller values underflow.
      const scale = Math.max(...all.map(Math.abs), 1e-100);
      const forward = meanInterval({ values: all, confidence: 0.9 });
      const sorted = meanInterval({ values: all.toSorted((a, b) => b - a), confidence: 0.9 });
      for (const key of ['estimate', 'lower', 'upper'] as const) {
        expect(Math.abs((forward[key] as number) - (sorted[key] as number)) / scale).toBeLessThan(1e-12);
      }
    }),
  );
});

test('the interval encloses the mean, mirrors with the sign and widens with confidence', () => {
  fc.assert(
    fc.property(values, (all) => {
      const interval = meanInterval({ values: all, confidence: 0.9 });
      const mirrored = meanInterval({ values: all.map((value) => -value), confidence: 0.9 });
      const surer = meanInterval({ values: all, confidence: 0.99 });
      expect(interval.lower).toBeLessThanOrEqual(interval.estimate as number);
      expect(mirrored.upper).toBe(-(interval.lower as number) + 0);
      expect(surer.lower).toBeLessThanOrEqual(interval.lower as number);
    }),
  );
});

test('a value that is not finite is refused with its position', () => {
  expect(() => meanInterval({ values: [1, Number.NaN], confidence: 0.95 })).toThrow(
    'value 2 is NaN; it must be finite.',
  );
  expect(() => meanInterval({ values: [1, 2], confidence: 0 })).toThrow('confidence is 0');
});

test.each([
  [[1e200, -1e200, 3e200], true],
  [[1e308, -1e308, 1e308], false],
])('values too large to square have no interval, and never NaN: %j', (large, hasMean) => {
  const interval = meanInterval({ values: large });
  expect(interval).toMatchObject({
    status: 'undefined',
    lower: null,
    upper: null,
    reason: 'values are too large to square',
  });
  expect(interval.estimate === null).toBe(!hasMean);
});

test.each([1e200, 1e308])('values of %f have no interval by any method, and none throws', (large) => {
  const values = [large, -large, 0, large];
  const limitsOf = ({ status, lower, upper }: Interval) => [status, lower, upper];
  expect(limitsOf(clusterInterval({ values, clusters: [1, 1, 2, 3] }))).toEqual(['undefined', null, null]);
  expect(limitsOf(stratifiedMean({ strata: [{ values, weight: 1 }] }))).toEqual(['undefined', null, null]);
  expect(limitsOf(bootstrapInterval({ values }))).toEqual(['undefined', null, null]);
});
