import { expect, test } from 'vitest';
import { boundedMeanInterval } from '../means/bounded-mean.ts';
import { momentsOf, varianceOf } from '../moments.ts';
import { createRandom } from '../random.ts';
import { detectableByBounds } from './bounded-sample-size.ts';

const level = { power: 0.8, confidence: 0.95 };
const range = [-1, 1] as const;

test('without a margin beyond that of a normal test it is the plan of a normal test', () => {
  const { detectable, questionsFor } = detectableByBounds({
    ...level,
    standardDeviation: 0.3,
    n: 100,
    margin: 0,
  });
  expect(detectable).toBeCloseTo((2.801585 * 0.3) / 10, 6);
  expect(questionsFor(0.05)).toBe(283);
});

test('without spread, the part of what was not seen falls with 1 / n', () => {
  const { detectable, questionsFor } = detectableByBounds({
    ...level,
    standardDeviation: 0,
    n: 50,
    margin: 0.08,
  });
  expect(detectable).toBeCloseTo(0.08, 12);
  expect(questionsFor(0.04)).toBe(100);
});

test('a planned difference is seen in about 80 of 100 runs', () => {
  const random = createRandom('plan');
  const draw = (n: number, mean: number) =>
    Array.from({ length: n }, () => mean + 0.6 * (random.next() - 0.5));
  const pilot = draw(60, 0);
  const { lower, upper } = boundedMeanInterval({ values: pilot, range });
  const { questionsFor } = detectableByBounds({
    ...level,
    standardDeviation: Math.sqrt(varianceOf(momentsOf(pilot))),
    n: 60,
    margin: ((upper as number) - (lower as number)) / 2,
  });
  const n = questionsFor(0.1);
  const runs = 200;
  let seen = 0;
  for (let run = 0; run < runs; run += 1) {
    const found = boundedMeanInterval({ values: draw(n, 0.1), range });
    seen += Number((found.lower as number) > 0);
  }
  expect(seen / runs).toBeGreaterThan(0.65);
  expect(seen / runs).toBeLessThan(0.95);
});

test('what makes no sense is refused', () => {
  const observed = { ...level, standardDeviation: 0.3, n: 100, margin: 0.1 };
  expect(() => detectableByBounds({ ...observed, n: 0 })).toThrow('n is 0');
  expect(() => detectableByBounds({ ...observed, standardDeviation: -1 })).toThrow('standardDeviation');
  expect(() => detectableByBounds(observed).questionsFor(0)).toThrow('difference is 0');
});
