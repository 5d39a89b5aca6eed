import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { DrawRule } from '../../../core/schema/review/review-task.ts';
import { createRandom } from '../../../core/stats/random.ts';
import { buildSubject } from '../../../../test/support/build-labels.ts';
import { allocate, expectedHalfWidth } from './allocate.ts';
import { inclusionProbabilities, sampleByProbability } from './by-uncertainty.ts';
import { drawEntries, type FrameEntry } from './draw.ts';
import { clusterVectors } from '../cluster-answers.ts';

/** Builds a frame whose first entries are passed, with one of three categories each. */
function frameOf(passed: number, failed: number): FrameEntry[] {
  return Array.from({ length: passed + failed }, (_, index) => ({
    subject: buildSubject(index, { category: ['a', 'b', 'c'][index % 3] as string }),
    passed: index < passed,
    uncertainty: (index % 10) / 10,
  }));
}

const byVerdict: DrawRule = { type: 'stratified', metric: 'politeness', byCategory: false };

test('the default draws half of the labels from each verdict, with the probability of each', () => {
  const draw = drawEntries(frameOf(739, 261), { rule: byVerdict, count: 200, seed: 7 });
  expect(draw.strata).toEqual([
    { name: 'passed', size: 739, drawn: 100, targets: { bot: 739 } },
    { name: 'failed', size: 261, drawn: 100, targets: { bot: 261 } },
  ]);
  expect(new Set(draw.drawn.map(({ index }) => index)).size).toBe(200);
  for (const { index, stratum, probability } of draw.drawn) {
    expect(stratum).toBe(index < 739 ? 'passed' : 'failed');
    expect(probability).toBe(index < 739 ? 100 / 739 : 100 / 261);
  }
  const first = draw.drawn.slice(0, 100).filter(({ stratum }) => stratum === 'passed').length;
  expect(first).toBeGreaterThan(30);
  expect(first).toBeLessThan(70);
});

test('a small stratum is taken whole and leaves its labels to the other', () => {
  const draw = drawEntries(frameOf(500, 30), { rule: byVerdict, count: 200, seed: 7 });
  expect(draw.strata.map(({ drawn }) => drawn)).toEqual([170, 30]);
  expect(drawEntries(frameOf(20, 0), { rule: byVerdict, count: 200, seed: 7 }).strata).toEqual([
    { name: 'passed', size: 20, drawn: 20, targets: { bot: 20 } },
  ]);
});

test('by verdict and category, each verdict has half, and its categories what their sizes ask for', () => {
  const rule: DrawRule = { ...byVerdict, byCategory: true };
  const { strata } = drawEntries(frameOf(600, 60), { rule, count: 90, seed: 7 });
  expect(strata.map(({ name, drawn }) => `${name} ${drawn}`)).toEqual([
    'passed · a 15',
    'passed · b 15',
    'passed · c 15',
    'failed · a 15',
    'failed · b 15',
    'failed · c 15',
  ]);
});

test('the same seed gives the same draw, another seed another one', () => {
  const drawOf = (seed: number) =>
    drawEntries(frameOf(50, 50), { rule: { type: 'random' }, count: 10, seed }).drawn.map(
      ({ index }) => index,
    );
  expect(drawOf(7)).toEqual(drawOf(7));
  expect(drawOf(7)).not.toEqual(drawOf(8));
});

test('every answer of a stratum is equally likely to be drawn', () => {
  const counts = Array.from({ length: 20 }, () => 0);
  const rounds = 4000;
  for (let seed = 0; seed < rounds; seed += 1) {
    const settings = { rule: byVerdict, count: 8, seed };
    for (const { index } of drawEntries(frameOf(15, 5), settings).drawn)
      counts[index] = (counts[index] ?? 0) + 1;
  }
  const expected = (index: number) => (index < 15 ? 4 / 15 : 4 / 5);
  // Five standard errors.
  for (const [index, count] of counts.entries()) {
    const p = expected(index);
    expect(Math.abs(count / rounds - p)).toBeLessThan(5 * Math.sqrt((p * (1 - p)) / rounds));
  }
});

test('every nth answer is drawn from a random start', () => {
  const { drawn, strata } = drawEntries(frameOf(50, 50), {
    rule: { type: 'every-nth', n: 7 },
    count: 0,
    seed: 7,
  });
  const indexes = drawn.map(({ index }) => index).toSorted((a, b) => a - b);
  const start = indexes[0] as number;
  expect(indexes).toEqual(
    Array.from({ length: Math.ceil((100 - start) / 7) }, (_, step) => start + 7 * step),
  );
  expect(drawn[0]?.probability).toBe(1 / 7);
  expect(strata).toEqual([{ name: 'all', size: 100, drawn: indexes.length, targets: { bot: 100 } }]);
});

test('answers picked by hand have no probability', () => {
  const settings = { rule: { type: 'by-hand' }, count: 2, seed: 7, picked: [3, 1, 3] } as const;
  const { drawn } = drawEntries(frameOf(5, 5), settings);
  expect(drawn.map(({ index }) => index).toSorted((a, b) => a - b)).toEqual([1, 3]);
  expect(drawn.every(({ probability }) => probability === null)).toBe(true);
});

test("Neyman's allocation gives the worked example 124 and 76 labels", () => {
  const spread = (p: number) => Math.sqrt(p * (1 - p));
  const [sizes, shares] = [[739, 261] as const, [0.94, 0.22] as const];
  const weights = sizes.map((size, index) => size * spread(shares[index] as number));
  expect(allocate({ count: 200, sizes, weights, least: 2 })).toEqual([124, 76]);
  const spreads = new Map([
    ['passed', spread(0.94)],
    ['failed', spread(0.22)],
  ]);
  const rule: DrawRule = { type: 'neyman', metric: 'politeness', pilot: 'task-1' };
  const { strata } = drawEntries(frameOf(739, 261), { rule, count: 200, seed: 7, spreads });
  expect(strata.map(({ drawn }) => drawn)).toEqual([124, 76]);
});

test('an allocation uses every label, exceeds no stratum, and is no less than the least', () => {
  const strata = fc.array(
    fc.record({ size: fc.nat(500), weight: fc.double({ min: 0, max: 100, noNaN: true }) }),
    {
      minLength: 1,
      maxLength: 8,
    },
  );
  fc.assert(
    fc.property(strata, fc.nat(1000), (given, count) => {
      const sizes = given.map(({ size }) => size);
      const all = sizes.reduce((a, b) => a + b, 0);
      const parts = allocate({ count, sizes, weights: given.map(({ weight }) => weight), least: 2 });
      expect(parts.reduce((a, b) => a + b, 0)).toBe(Math.min(count, all));
      const isEnough = count >= 2 * sizes.length;
      for (const [index, part] of parts.entries()) {
        expect(part).toBeLessThanOrEqual(sizes[index] as number);
        if (isEnough) expect(part).toBeGreaterThanOrEqual(Math.min(2, sizes[index] as number));
      }
    }),
  );
});

test('probabilities by uncertainty are those of the formula, add up to the count, and are at most 1', () => {
  const uncertainties = [0, 0.5, 0.5, 1];
  const made = inclusionProbabilities({ uncertainties, count: 2, floor: 0.2 });
  // 2 × (0.05 + 0.8 × u / 2), of which the last one is 0.9.
  for (const [index, p] of [0.1, 0.5, 0.5, 0.9].entries()) expect(made[index]).toBeCloseTo(p, 12);
  const capped = inclusionProbabilities({ uncertainties: [0, 0, 0, 1], count: 2, floor: 0.2 });
  for (const [index, p] of [1 / 3, 1 / 3, 1 / 3, 1].entries()) expect(capped[index]).toBeCloseTo(p, 12);
  expect(inclusionProbabilities({ uncertainties: [0, 0], count: 1, floor: 0.2 })).toEqual([0.5, 0.5]);
  expect(inclusionProbabilities({ uncertainties: [0, 1], count: 5, floor: 0.2 })).toEqual([1, 1]);
  const values = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 30 });
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 29 }), (given, count) => {
      fc.pre(count < given.length);
      const all = inclusionProbabilities({ uncertainties: given, count, floor: 0.2 });
      expect(all.reduce((a, b) => a + b, 0)).toBeCloseTo(count, 9);
      for (const p of all) expect(p).toBeLessThanOrEqual(1);
      expect(sampleByProbability(all, createRandom(count))).toHaveLength(count);
    }),
  );
});

test('answers are drawn as often as their probabilities say', () => {
  const probabilities = [0.1, 0.5, 0.5, 0.9, 1];
  const counts = probabilities.map(() => 0);
  const rounds = 4000;
  for (let seed = 0; seed < rounds; seed += 1)
    for (const index of sampleByProbability(probabilities, createRandom(seed)))
      counts[index] = (counts[index] ?? 0) + 1;
  for (const [index, p] of probabilities.entries())
    expect(Math.abs((counts[index] ?? 0) / rounds - p)).toBeLessThanOrEqual(
      5 * Math.sqrt((p * (1 - p)) / rounds),
    );
});

test('the expected half-width is that of the worked example: 94 of 100 and 22 of 100 right', () => {
  const strata = [
    { size: 739, labels: 100, share: 0.94 },
    { size: 261, labels: 100, share: 0.22 },
  ];
  expect(expectedHalfWidth(strata)).toBeCloseTo(0.036057, 6);
  expect(expectedHalfWidth([{ size: 10, labels: 10, share: 0.5 }])).toBe(0);
  expect(expectedHalfWidth([{ size: 10, labels: 1, share: 0.5 }])).toBeNull();
  expect(expectedHalfWidth([])).toBeNull();
});

test('by outcome, half comes from what the scorecard failed, by category or cluster too if asked', () => {
  const frame = frameOf(320, 80);
  const strataOf = (rule: DrawRule, clusters: readonly number[] = []) =>
    drawEntries(frame, { rule, count: 80, seed: 7, clusters }).strata.map(
      ({ name, size, drawn }) => `${name} ${drawn}/${size}`,
    );
  expect(strataOf({ type: 'outcome' })).toEqual(['passed 40/320', 'failed 40/80']);
  expect(strataOf({ type: 'outcome', by: 'category' }).slice(0, 3)).toEqual([
    'passed · a 14/107',
    'passed · b 13/107',
    'passed · c 13/106',
  ]);
  const clusters = frame.map((_, index) => index % 2);
  const rule: DrawRule = { type: 'outcome', by: 'cluster', clusters: { embedder: 'e', count: 2 } };
  expect(strataOf(rule, clusters)).toEqual([
    'passed · cluster 1 20/160',
    'passed · cluster 2 20/160',
    'failed · cluster 1 20/40',
    'failed · cluster 2 20/40',
  ]);
});

test('clusters are the groups of vectors that point the same way, whatever their lengths', () => {
  const centres = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  const vectors = Array.from({ length: 60 }, (_, index) => {
    const [x = 0, y = 0, z = 0] = centres[index % 3] ?? [];
    const shift = 0.05 * Math.sin(index);
    return [x + shift, y - shift, z + shift].map((value) => value * (1 + (index % 5)));
  });
  const found = clusterVectors({ vectors, count: 3, random: createRandom(7) });
  expect(found).toEqual(vectors.map((_, index) => index % 3));
  const same = clusterVectors({
    vectors: [
      [1, 0],
      [2, 0],
    ],
    count: 8,
    random: createRandom(7),
  });
  expect(same).toEqual([0, 0]);
});
