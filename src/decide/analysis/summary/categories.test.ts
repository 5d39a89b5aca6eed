import { expect, test } from 'vitest';
import { boundedMeanInterval } from '../../../core/stats/means/bounded-mean.ts';
import { weightedShares } from '../../../core/stats/means/stratified-mean.ts';
import { wilsonInterval } from '../../../core/stats/proportion-interval.ts';
import { runScores } from '../../../../test/support/gated-run.ts';
import { checkWeights, countCategories } from './categories.ts';

const easy = [0.9, 0.8, 1, 0.7, 0.95];
const hard = [0.2, 0.6, 0.4];
const cases = [
  ...easy.map((score) => ({ scores: [score], category: 'easy' })),
  ...hard.map((score) => ({ scores: [score], category: 'hard' })),
];

test('scores of categories count by their weights, with limits combined from those of each', async () => {
  const { run } = await runScores(cases, { evaluation: { weights: { category: { easy: 20, hard: 80 } } } });
  const weighted = run.summary?.targets[0]?.weighted;
  const expected = weightedShares([
    { share: boundedMeanInterval({ values: easy }), weight: 1 },
    { share: boundedMeanInterval({ values: hard }), weight: 4 },
  ]);
  expect(weighted?.score.value).toBeCloseTo(0.2 * 0.87 + 0.8 * 0.4, 12);
  expect(weighted?.score.lower).toBeCloseTo(Math.max(0, expected.lower ?? 1), 12);
  expect(weighted?.score.upper).toBeCloseTo(Math.min(1, expected.upper ?? 0), 12);
  expect(weighted?.score.method).toBe('stratified-gaffke');
  expect(weighted?.categories).toEqual({ easy: 0.2, hard: 0.8 });
});

test('passes of categories count by their weights, with limits combined from Wilson’s', async () => {
  const truths = [...Array.from('11110', Number), ...Array.from('110', Number)];
  const { run } = await runScores(
    truths.map((score, place) => ({ scores: [score], category: place < 5 ? 'easy' : 'hard' })),
    { evaluation: { weights: { category: { easy: 1, hard: 3 } } } },
  );
  const weighted = run.summary?.targets[0]?.weighted;
  const [first, second] = [
    wilsonInterval({ successes: 4, trials: 5 }),
    wilsonInterval({ successes: 2, trials: 3 }),
  ];
  const estimate = 0.25 * 0.8 + (0.75 * 2) / 3;
  const below = Math.hypot(0.25 * (0.8 - (first.lower ?? 0)), 0.75 * (2 / 3 - (second.lower ?? 0)));
  expect(weighted?.passRate).toMatchObject({ method: 'stratified-wilson', n: 8 });
  expect(weighted?.passRate.value).toBeCloseTo(estimate, 12);
  expect(weighted?.passRate.lower).toBeCloseTo(estimate - below, 12);
  expect(weighted?.score).toEqual(weighted?.passRate);
});

test('a category of weight 0 is left out, and an unmeasured one makes the numbers unknown', async () => {
  const without = await runScores(cases, { evaluation: { weights: { category: { easy: 1, hard: 0 } } } });
  expect(without.run.summary?.targets[0]?.weighted?.score.value).toBeCloseTo(0.87, 12);
  const { run } = await runScores(cases, {
    evaluation: { weights: { category: { easy: 1, hard: 1, legal: 1 } } },
  });
  expect(run.summary?.targets[0]?.weighted?.score).toMatchObject({
    value: null,
    lower: null,
    reason: 'nothing of the category legal was measured',
  });
});

test('a category without a weight is refused with a suggestion', () => {
  const categories = [
    { category: 'easy', cases: 5 },
    { category: 'hard', cases: 3 },
  ];
  expect(() => checkWeights({ category: { easy: 1, hart: 1 } }, categories)).toThrow(
    'weights.category: no weight for "hard" (3). Give each category of the dataset one, 0 to leave it out. Did you mean "hart"?',
  );
  expect(() => checkWeights({ category: { easy: 1, hard: 0, other: 2 } }, categories)).not.toThrow();
  expect(() => checkWeights(undefined, categories)).not.toThrow();
});

test('categories are counted in order of first occurrence, across pages', () => {
  const counts = countCategories([{ category: 'z' }, { category: 'a' }, {}]);
  expect([...counts]).toEqual([
    ['z', 1],
    ['a', 1],
    ['uncategorized', 1],
  ]);
  expect([...countCategories([{ category: 'z' }, { category: 'b' }], counts)]).toEqual([
    ['z', 2],
    ['a', 1],
    ['uncategorized', 1],
    ['b', 1],
  ]);
});
