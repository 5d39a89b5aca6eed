import { expect, test } from 'vitest';
import { isReleaseTested } from '../../../test/support/is-release-tested.ts';
import { mostWrong } from '../../../test/support/most-wrong.ts';
import { type ComparisonCell, simulateComparisons } from '../../../test/support/simulate-comparisons.ts';

const rounds = isReleaseTested ? 600 : 40;

/** The settings in which limits of the textbook were wrong most often; the place is the seed. */
const cells: readonly ComparisonCell[] = [
  { by: 'pairs', labels: 30, rate: 0.5, trueNegativeRate: 0.95 },
  { by: 'pairs', labels: 30, rate: 0.65, trueNegativeRate: 0.4 },
  { by: 'pairs', labels: 72, rate: 0.65, trueNegativeRate: 0.4 },
  { by: 'pairs', labels: 72, rate: 0.95, trueNegativeRate: 0.4 },
  { by: 'pairs', labels: 150, rate: 0.8, trueNegativeRate: 0.9 },
  { by: 'rates', labels: 72, rate: 0.65, trueNegativeRate: 0.4 },
  { by: 'rates', labels: 150, rate: 0.8, trueNegativeRate: 0.95 },
];

test.each(cells.map((cell, seed) => ({ ...cell, seed })))(
  'equal versions are called different in at most 5 of 100 comparisons by $by of $labels labels at $rate, TNR $trueNegativeRate',
  ({ seed, ...cell }) => {
    const { compared, wrong } = simulateComparisons(cell, { rounds, seed });
    expect(compared).toBeGreaterThan(rounds / 2);
    expect(wrong).toBeLessThanOrEqual(mostWrong(compared));
  },
);

test('error rates from fewer than 20 labels of one kind correct no difference', () => {
  const few: ComparisonCell = { by: 'rates', labels: 30, rate: 0.65, trueNegativeRate: 0.9 };
  expect(simulateComparisons(few, { rounds: 20, seed: 0 })).toEqual({ compared: 0, wrong: 0 });
});
