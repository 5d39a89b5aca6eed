import { expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import { quantileInterval } from './quantile-interval.ts';

const upTo = (n: number) => Array.from({ length: n }, (_, i) => n - i);

test('p95 of 200 values lies between the 184th and the 197th value with a coverage of 96.7 %', () => {
  expect(quantileInterval({ values: upTo(200), p: 0.95 })).toEqual({
    status: 'defined',
    p: 0.95,
    n: 200,
    confidence: 0.95,
    method: 'order-statistics',
    estimate: 190,
    lower: 184,
    upper: 197,
    lowerRank: 184,
    upperRank: 197,
    coverage: expect.closeTo(0.967, 3),
  });
});

test('p95 takes 72 values, its one-sided limit 59, that of p99 299', () => {
  expect(quantileInterval({ values: upTo(71), p: 0.95 })).toMatchObject({
    status: 'undefined',
    lower: null,
    upper: null,
    coverage: null,
    estimate: 68,
    reason: '71 values are too few: an interval of the 0.95 quantile takes 72',
  });
  expect(quantileInterval({ values: upTo(72), p: 0.95 })).toMatchObject({ status: 'defined', upper: 72 });
  for (const [p, n] of [
    [0.95, 59],
    [0.99, 299],
  ] as const) {
    expect(quantileInterval({ values: upTo(n - 1), p, confidence: 0.9 }).status).toBe('undefined');
    expect(quantileInterval({ values: upTo(n), p, confidence: 0.9 })).toMatchObject({ upper: n });
  }
});

test('the interval covers the median of skewed values as often as it states', () => {
  const random = createRandom('median');
  const runs = 3000;
  let covered = 0;
  let promised = 0;
  for (let run = 0; run < runs; run += 1) {
    const values = Array.from({ length: 40 }, () => random.next() ** 5);
    const interval = quantileInterval({ values, p: 0.5 });
    promised = interval.coverage as number;
    if ((interval.lower as number) <= 0.5 ** 5 && (interval.upper as number) >= 0.5 ** 5) covered += 1;
  }
  expect(Math.abs(covered / runs - promised)).toBeLessThan(0.015);
});

test('no values have no estimate, and the ends of the scale are refused', () => {
  expect(quantileInterval({ values: [], p: 0.5 })).toMatchObject({ estimate: null, reason: 'no values' });
  expect(() => quantileInterval({ values: [1], p: 1 })).toThrow(
    'p is 1; it must be between 0 and 1, both excluded.',
  );
  expect(() => quantileInterval({ values: [1, Number.NaN], p: 0.5 })).toThrow('a value is NaN');
});
