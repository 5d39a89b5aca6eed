import { expect, test } from 'vitest';
import { lintRows } from '../../../../test/support/lint-rows.ts';
import { heavyCase } from './heavy-case.ts';

const rows = (...weights: readonly (number | undefined)[]) =>
  weights.map((weight, index) => ({ question: `Question ${index}?`, ...(weight && { weight }) }));

test('a case with more than half of the weight is named with its share', async () => {
  expect(await lintRows(heavyCase, rows(undefined, 8, 1, 1))).toEqual([
    '2: has 72.7 % of the weight of all 4 questions, so every mean depends on this one most',
  ]);
});

test('half of the weight, equal weights and a single case are no finding', async () => {
  for (const weights of [[3, 1, 1, 1], [undefined, undefined], [7, 7, 7], [40]])
    expect(await lintRows(heavyCase, rows(...weights))).toEqual([]);
});
