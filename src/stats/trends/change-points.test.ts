import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import type { ChangePoint } from './change-point.ts';
import { type ChangePointOptions, changePoints } from './change-points.ts';

const found = (options: ChangePointOptions): readonly ChangePoint[] =>
  changePoints(options).changePoints ?? [];

const values = [0.812, 0.845, 0.798, 0.83, 0.821, 0.742, 0.768, 0.751, 0.735, 0.77];
const standardErrors = [0.03, 0.025, 0.03, 0.028, 0.03, 0.027, 0.03, 0.03, 0.026, 0.03];

test('a shift is placed, measured and tested as an independent program does', () => {
  // Python: two-sample z over all splits, 40,000 series of its own generator.
  const [change, ...others] = found({ values, standardErrors, resamples: 9999 });
  expect(others).toEqual([]);
  expect(change).toMatchObject({ index: 5, earliest: 4, latest: 6 });
  expect(change?.difference).toBeCloseTo(-0.07166256061643328, 14);
  expect(change?.lower).toBeCloseTo(-0.106874265, 8);
  expect(change?.upper).toBeCloseTo(-0.036450856, 8);
  expect(change?.pValue).toBeCloseTo(0.00055, 3);
});

test('without standard errors the noise is that of the steps between neighbours', () => {
  // The same program, with the trimmed mean square of the steps; p = 0.0255 ± 0.0016.
  const [change] = found({ values, resamples: 9999 });
  expect(change?.pValue).toBeGreaterThan(0.021);
  expect(change?.pValue).toBeLessThan(0.03);
  expect(change?.difference).toBeCloseTo(-0.068, 12);
  expect(change?.lower).toBeCloseTo(-0.092347735, 8);
  expect(change?.upper).toBeCloseTo(-0.043652265, 8);
});

test('of two values the p-value is that of the normal test between them', () => {
  // 2 Φ(−0.1 / 0.05) = 0.0455.
  const [change] = found({ values: [0.8, 0.7], standardErrors: [0.03, 0.04], resamples: 9999 });
  expect(change?.pValue).toBeGreaterThan(0.039);
  expect(change?.pValue).toBeLessThan(0.05);
  expect(change?.lower).toBeCloseTo(-0.1 - 1.959964 * 0.05, 6);
  expect(found({ values: [0.8, 0.71], standardErrors: [0.03, 0.04] })).toEqual([]);
});

const alike = (value: number, count: number) => Array.from({ length: count }, () => value);

function normals(count: number, seed: string | number): number[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => {
    return Math.sqrt(-2 * Math.log1p(-random.next())) * Math.cos(2 * Math.PI * random.next());
  });
}

test.each(['given', 'estimated'] as const)(
  'with %s noise a series without a shift is marked in 5 % of cases',
  (noise) => {
    let marked = 0;
    const rounds = 600;
    for (let round = 0; round < rounds; round += 1) {
      const series = { values: normals(12, round), resamples: 199, seed: round };
      const errors = noise === 'given' ? { standardErrors: series.values.map(() => 1) } : {};
      if (found({ ...series, ...errors }).length > 0) marked += 1;
    }
    // Four standard errors of a share around 5 %.
    expect(marked / rounds).toBeGreaterThan(0.05 - 0.036);
    expect(marked / rounds).toBeLessThan(0.05 + 0.036);
  },
);

test('a shift of three standard errors half way is found nearly always, and about where it is', () => {
  let [seen, inRange] = [0, 0];
  for (let round = 0; round < 200; round += 1) {
    const shifted = normals(16, `shift ${round}`).map((value, place) => (place < 8 ? value : value - 3));
    const errors = shifted.map(() => 1);
    const changes = found({ values: shifted, standardErrors: errors, resamples: 199, seed: round });
    const there = changes.find(({ earliest, latest }) => earliest <= 8 && latest >= 8);
    if (changes.length > 0) seen += 1;
    if (there !== undefined && there.difference < 0) inRange += 1;
  }
  expect(seen).toBeGreaterThan(190);
  expect(inRange / seen).toBeGreaterThan(0.95);
});

test.each([true, false])('several shifts are found, each with its own sign (noise given: %s)', (isGiven) => {
  const levels = normals(24, 'several').map((value, place) => value + (place < 8 ? 0 : place < 16 ? -8 : 4));
  const changes = found({ values: levels, ...(isGiven && { standardErrors: levels.map(() => 1) }) });
  expect(changes.map(({ index }) => index)).toEqual([8, 16]);
  expect(changes.map(({ lower, upper }) => Math.sign(lower) + Math.sign(upper))).toEqual([-2, 2]);
});

test('a shift in the last value alone is found when it is large', () => {
  const last = [...values.slice(0, 5), 0.6];
  expect(found({ values: last, standardErrors: last.map(() => 0.03) }).map(({ index }) => index)).toEqual([
    5,
  ]);
});

test('values that are all alike have no shift, also when nothing can be said of noise', () => {
  expect(found({ values: alike(0.9, 12) })).toEqual([]);
  expect(found({ values: alike(0.1 + 0.2, 12), standardErrors: alike(1e-9, 12) })).toEqual([]);
});

test('noise that is too small to be believed is taken to be larger', () => {
  const steady = [...alike(0.9, 8), 0.89];
  expect(found({ values: steady })).toHaveLength(1);
  expect(found({ values: steady, leastNoise: 0.01 })).toEqual([]);
});

test('where there are too few values it says how many it takes', () => {
  expect(changePoints({ values: [0.8], standardErrors: [0.1] })).toMatchObject({
    status: 'undefined',
    changePoints: null,
    n: 1,
    reason: '1 value, of 2 that it takes',
  });
  expect(changePoints({ values: [] })).toMatchObject({ reason: 'no values, of 8 that it takes' });
  expect(changePoints({ values: values.slice(3) })).toMatchObject({
    status: 'undefined',
    noise: 'estimated',
    reason: '7 values, of 8 that it takes',
  });
});

test('the same seed gives the same answer, and the unit of the values does not matter', () => {
  const inPoints = {
    values: values.map((value) => value * 100),
    standardErrors: standardErrors.map((e) => e * 100),
  };
  const one = changePoints({ values, standardErrors, seed: 'a' });
  expect(changePoints({ values, standardErrors, seed: 'a' })).toEqual(one);
  expect(one).toMatchObject({ seed: 'a', resamples: 1999, confidence: 0.95, method: 'binary-segmentation' });
  const [change] = found({ ...inPoints, seed: 'a' });
  expect(change?.pValue).toBe(one.changePoints?.[0]?.pValue);
  expect(change?.difference).toBeCloseTo((one.changePoints?.[0]?.difference as number) * 100, 10);
});

test('a series turned upside down has the same shifts with the other sign', () => {
  const series = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 12 });
  fc.assert(
    fc.property(series, (drawn) => {
      const errors = drawn.map(() => 0.05);
      const upright = found({ values: drawn, standardErrors: errors, resamples: 99 });
      const mirrored = found({ values: drawn.map((value) => -value), standardErrors: errors, resamples: 99 });
      expect(mirrored.map(({ index }) => index)).toEqual(upright.map(({ index }) => index));
      for (const [place, { difference, earliest, index, latest }] of upright.entries()) {
        expect(mirrored[place]?.difference).toBeCloseTo(-difference, 10);
        expect(earliest).toBeLessThanOrEqual(index);
        expect(latest).toBeGreaterThanOrEqual(index);
      }
    }),
    { numRuns: 60 },
  );
});

test('mistakes are refused', () => {
  expect(() => changePoints({ values: [1, Number.NaN] })).toThrow('value 2 is NaN; it must be finite.');
  expect(() => changePoints({ values: [1, 2], standardErrors: [1] })).toThrow(
    'number of standard errors is 1',
  );
  expect(() => changePoints({ values: [1, 2], standardErrors: [1, 0] })).toThrow('standard error 2 is 0');
  expect(() => changePoints({ values: [], leastNoise: -1 })).toThrow('leastNoise is -1');
  expect(() => changePoints({ values: [], resamples: 50 })).toThrow('resamples is 50');
  expect(() => changePoints({ values: [], confidence: 1 })).toThrow('confidence is 1');
});
