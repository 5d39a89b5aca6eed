import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import { type ChangePoint, type ChangePointOptions, changePoints } from './change-points.ts';

const found = (options: ChangePointOptions): readonly ChangePoint[] =>
  changePoints(options).changePoints ?? [];

const values = [0.812, 0.845, 0.798, 0.83, 0.821, 0.742, 0.768, 0.751, 0.735, 0.77];
const standardErrors = [0.03, 0.025, 0.03, 0.028, 0.03, 0.027, 0.03, 0.03, 0.026, 0.03];

test('the place, size and p-value of a shift equal those of an independent program', () => {
  // Python: z over every split at every look, 1,500 series of 30 values of its own generator: p = 0.0060 ± 0.0020.
  const [change, ...others] = found({ values, standardErrors });
  expect(others).toEqual([]);
  expect(change).toMatchObject({ index: 5, earliest: 4, latest: 6 });
  expect(change?.difference).toBeCloseTo(-0.07166256061643328, 14);
  expect(change?.lower).toBeCloseTo(-0.106874265, 8);
  expect(change?.upper).toBeCloseTo(-0.036450856, 8);
  expect(change?.pValue).toBeGreaterThan(0.002);
  expect(change?.pValue).toBeLessThan(0.012);
});

test('without standard errors a shift is found despite an outlier, which does not widen its limits', () => {
  // The same program, with the noise and the cut at every look: p = 0.0367 ± 0.0024.
  const times = [100, 104, 97, 102, 99, 101, 240, 98, 103, 100, 96, 130, 135, 128, 131, 129];
  const [change, ...others] = found({ values: times.map((time) => Math.log(time)) });
  expect(others).toEqual([]);
  expect(change).toMatchObject({ index: 11, earliest: 11, latest: 12 });
  expect(change?.pValue).toBeGreaterThan(0.025);
  expect(change?.pValue).toBeLessThan(0.05);
  expect(change?.difference).toBeCloseTo(Math.log(1.3), 1);
  expect(found({ values: times.slice(0, 11) })).toEqual([]);
});

test('two values at a single look have the p-value of the normal test between them', () => {
  // 2 Φ(−0.1 / 0.05) = 0.0455.
  const once = { values: [0.8, 0.7], standardErrors: [0.03, 0.04], resamples: 9999, looks: 1 };
  const [change] = found(once);
  expect(change?.pValue).toBeGreaterThan(0.039);
  expect(change?.pValue).toBeLessThan(0.05);
  expect(change?.lower).toBeCloseTo(-0.1 - 1.959964 * 0.05, 6);
  expect(found({ ...once, values: [0.8, 0.71] })).toEqual([]);
  // In a series that grows to 30 values, it is one look of many.
  expect(found({ ...once, looks: 30 })).toEqual([]);
});

const alike = (value: number, count: number) => Array.from({ length: count }, () => value);

function normals(count: number, seed: string | number): number[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => {
    return Math.sqrt(-2 * Math.log1p(-random.next())) * Math.cos(2 * Math.PI * random.next());
  });
}

/** Simulates runs that vary by 5 %, with correlated neighbours; some are twice as slow. The unit is the noise. */
function runTimes(count: number, round: number, { correlation = 0, slow = 0 }): number[] {
  const random = createRandom(`slow ${round}`);
  let state = 0;
  return normals(count, round).map((fresh, place) => {
    state = place === 0 ? fresh : correlation * state + Math.sqrt(1 - correlation ** 2) * fresh;
    return state + (random.next() < slow ? Math.LN2 / 0.05 : 0);
  });
}

test.each([
  ['given', 'that only vary', {}],
  ['estimated', 'that only vary', {}],
  ['estimated', 'of which one in ten is twice as slow', { slow: 0.1 }],
  ['estimated', 'whose neighbours are correlated by 0.5', { correlation: 0.5 }],
  ['estimated', 'that are both', { correlation: 0.5, slow: 0.1 }],
] as const)('with %s noise at most 5 %% of series %s are marked at any of 30 looks', (noise, _, kind) => {
  let marked = 0;
  const rounds = 400;
  for (let round = 0; round < rounds; round += 1) {
    const times = runTimes(30, round, kind);
    // A mark at one look stays at all later ones, so few looks are needed here.
    const isMarked = [10, 20, 30].some((count) => {
      const seen = times.slice(0, count);
      return (
        found({ values: seen, ...(noise === 'given' && { standardErrors: seen.map(() => 1) }) }).length > 0
      );
    });
    if (isMarked) marked += 1;
  }
  // Three standard errors of a share of 5 %.
  expect(marked / rounds).toBeLessThan(0.05 + 0.033);
});

test('a mark stays when more values follow', () => {
  for (let round = 0; round < 40; round += 1) {
    const shifted = runTimes(26, round, { slow: 0.1 }).map((value, place) =>
      place < 12 ? value : value + 8,
    );
    const looks = [16, 18, 20, 22, 24, 26].map(
      (count) => found({ values: shifted.slice(0, count) }).length > 0,
    );
    expect(looks).toEqual(looks.toSorted((a, b) => Number(a) - Number(b)));
  }
});

test('a shift of three standard errors half way is nearly always found, close to its place', () => {
  let [seen, inRange] = [0, 0];
  for (let round = 0; round < 200; round += 1) {
    const shifted = normals(16, `shift ${round}`).map((value, place) => (place < 8 ? value : value - 3));
    const errors = shifted.map(() => 1);
    const changes = found({ values: shifted, standardErrors: errors });
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

test.each([true, false])(
  'one true shift, or two, add no false marks to the 5 %% (noise given: %s)',
  (isGiven) => {
    let extra = 0;
    const rounds = 400;
    for (let round = 0; round < rounds; round += 1) {
      const shifted = runTimes(30, round, { correlation: isGiven ? 0 : 0.5 }).map((value, place) =>
        place < 10 || (place >= 20 && round % 2 === 0) ? value : value + 8,
      );
      const marks = found({ values: shifted, ...(isGiven && { standardErrors: shifted.map(() => 1) }) });
      if (marks.length > (round % 2 === 0 ? 2 : 1)) extra += 1;
    }
    expect(extra / rounds).toBeLessThan(0.05 + 0.033);
  },
);

test('a shift in the last value alone is found when it is large', () => {
  const last = [...values.slice(0, 5), 0.6];
  expect(found({ values: last, standardErrors: last.map(() => 0.03) }).map(({ index }) => index)).toEqual([
    5,
  ]);
});

test('equal values have no shift, even when the noise is unknown', () => {
  expect(found({ values: alike(0.9, 12) })).toEqual([]);
  expect(found({ values: alike(0.1 + 0.2, 12), standardErrors: alike(1e-9, 12) })).toEqual([]);
});

test('implausibly small noise is raised to the minimum, and one value alone is not a shift', () => {
  const lower = [...alike(0.9, 8), ...alike(0.89, 6)];
  expect(found({ values: lower })).toHaveLength(1);
  expect(found({ values: lower, leastNoise: 0.01 })).toEqual([]);
  expect(found({ values: lower.slice(0, 9) })).toEqual([]);
});

test('with too few values the reason states how many are needed', () => {
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
  expect(one).toMatchObject({ seed: 'a', resamples: 1999, looks: 30, method: 'binary-segmentation' });
  const [change] = found({ ...inPoints, seed: 'a' });
  expect(change?.pValue).toBe(one.changePoints?.[0]?.pValue);
  expect(change?.difference).toBeCloseTo((one.changePoints?.[0]?.difference as number) * 100, 10);
});

test('a mirrored series has the same shifts with the opposite sign', () => {
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

test('invalid arguments are refused', () => {
  expect(() => changePoints({ values: [1, Number.NaN] })).toThrow('value 2 is NaN; it must be finite.');
  expect(() => changePoints({ values: [1, 1e200] })).toThrow(
    'value 2 is 1e+200; it must be from -1e150 to 1e150.',
  );
  expect(() => changePoints({ values: [1, 2], standardErrors: [1] })).toThrow(
    'number of standard errors is 1',
  );
  expect(() => changePoints({ values: [1, 2], standardErrors: [1, 0] })).toThrow('standard error 2 is 0');
  expect(() => changePoints({ values: [], leastNoise: -1 })).toThrow('leastNoise is -1');
  expect(() => changePoints({ values: [], looks: 0 })).toThrow(
    'looks is 0; it must be a whole number from 1 on.',
  );
  expect(() => changePoints({ values: [], resamples: 50 })).toThrow('resamples is 50');
  expect(() => changePoints({ values: [], confidence: 1 })).toThrow('confidence is 1');
});
