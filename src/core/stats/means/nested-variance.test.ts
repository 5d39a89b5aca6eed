import { expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import { nestedVariance } from './nested-variance.ts';
import { varianceComponents } from './variance-components.ts';

const part = (variance: number) => ({ status: 'defined', variance: expect.closeTo(variance, 14) });

// The expected values come from an independent program: exact fractions, sums of squares as projections, their
// expectations as traces.
test('three attempts at four questions, judged three times each, have the components of the textbook', () => {
  const table = [
    [
      [0.9, 0.8, 0.7],
      [0.5, 0.6, 0.4],
    ],
    [
      [0.2, 0.1, 0.3],
      [0, 0.1, 0.1],
    ],
    [
      [1, 1, 0.9],
      [0.7, 0.9, 0.8],
    ],
    [
      [0.4, 0.6, 0.2],
      [0.6, 0.3, 0.5],
    ],
  ];
  expect(nestedVariance({ table })).toEqual({
    questions: 4,
    attempts: 8,
    samples: 24,
    estimate: expect.closeTo(table.flat(2).reduce((sum, value) => sum + value) / 24, 14),
    betweenSamples: part(0.01375),
    betweenAttempts: part(0.012916666666666667),
    betweenQuestions: part(0.09319444444444444),
  });
});

test('unequal numbers of attempts and samples are taken into account', () => {
  const table = [
    [[0.9, 0.8], [0.5], [0.7, 0.7, 0.6]],
    [[0.2, 0.1, 0.3], []],
    [
      [1, 0.9],
      [0.3, 0.9, 0.8, 0.7],
    ],
    [],
    [[0.4], [0.6, 0.3]],
    [[0.1, 0.2], [0.15, 0.5], [0.9]],
  ];
  expect(nestedVariance({ table })).toMatchObject({
    questions: 5,
    attempts: 11,
    betweenSamples: part(0.029618055555555557),
    betweenAttempts: part(0.03633819018404908),
    betweenQuestions: part(0.028735840874438943),
  });
});

test('with one sample each, the judge is part of the attempts, as in the analysis of two levels', () => {
  const table = [
    [[0.9], [0.5], [0.7]],
    [[0.2], [0.4]],
    [[1], [0.3]],
  ];
  const { betweenQuestions, betweenAttempts, betweenSamples } = nestedVariance({ table });
  expect(betweenSamples).toMatchObject({ variance: null, reason: 'no answer was judged more than once' });
  const two = varianceComponents({ table: table.map((attempts) => attempts.flat()) });
  expect(betweenAttempts).toEqual({ ...part(0.08625), includes: expect.stringContaining('judged') });
  expect(betweenQuestions.variance).toBeCloseTo(two.betweenVariance ?? Number.NaN, 14);
});

test("with one attempt each, the judge's noise is identified and the agent's is not", () => {
  const { betweenQuestions, betweenAttempts, betweenSamples } = nestedVariance({
    table: [[[0.4, 0.6]], [[0.9, 0.9]]],
  });
  expect(betweenSamples).toEqual(part(0.01));
  expect(betweenAttempts).toMatchObject({ reason: 'no question was tried more than once' });
  expect(betweenQuestions).toEqual({
    // The variance of the means 0.5 and 0.9, without half of what the judge adds to each.
    ...part(0.08 - 0.01 / 2),
    includes: 'the noise of attempts: no question was tried more than once',
  });
});

test('no question and a single question have no variance between questions', () => {
  expect(nestedVariance({ table: [] })).toMatchObject({
    estimate: null,
    betweenQuestions: { reason: 'no values' },
  });
  expect(nestedVariance({ table: [[[1, 0], [0]]] }).betweenQuestions).toMatchObject({
    reason: 'a single question',
  });
  expect(() => nestedVariance({ table: [[[Number.NaN]]] })).toThrow(RangeError);
});

test('simulated components are recovered on average over 400 tables', () => {
  const random = createRandom(7);
  const noise = (variance: number) => (random.next() - 0.5) * Math.sqrt(12 * variance);
  const sums = [0, 0, 0];
  for (let round = 0; round < 400; round += 1) {
    const table = Array.from({ length: 20 }, () => {
      const question = noise(0.09);
      return Array.from({ length: 3 }, (_, place) => {
        const attempt = question + noise(0.04);
        return Array.from({ length: 1 + place }, () => attempt + noise(0.01));
      });
    });
    const found = nestedVariance({ table });
    const parts = [found.betweenQuestions, found.betweenAttempts, found.betweenSamples];
    for (const [place, { variance }] of parts.entries())
      sums[place] = (sums[place] ?? 0) + (variance ?? 0) / 400;
  }
  expect(sums).toEqual([expect.closeTo(0.09, 2), expect.closeTo(0.04, 2), expect.closeTo(0.01, 3)]);
});
