import { expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import { dawidSkene } from './dawid-skene.ts';
import { positionBias } from './position-bias.ts';
import { selfConsistency } from './self-consistency.ts';

// Dawid & Skene 1979, table 1: for each patient three ratings by the first anaesthetist and one by each of four others.
const anaesthetists = `1111111 3334334 1122122 2223121 2223222 2223322 1222111 3333433 2222223 2322223 4444444 2223343 1111111
  2223212 1211111 1112111 1111111 1111111 2222221 2221322 2222222 2222221 2223222 2212222 1111111 1111111 2322222 1111111 1111111
  1121121 1111111 3333233 1111111 2222222 2223232 4334343 2212232 2323233 3333432 1111111 1111111 1212111 2322222 1211111 2222222`;

test('the anaesthetists have the published marginals .40, .42, .11, .07', () => {
  const raters = [1, 1, 1, 2, 3, 4, 5];
  const ratings = anaesthetists
    .split(/\s+/)
    .flatMap((row, item) =>
      Array.from(row, (digit, place) => ({ item, rater: raters[place]!, category: Number(digit) })),
    );
  expect(ratings).toHaveLength(45 * 7);
  const found = dawidSkene({ ratings });
  if (found.status === 'undefined') throw new Error(found.reason);
  expect(found.prevalence.map((share) => Number(share.toFixed(2)))).toEqual([0.4, 0.42, 0.11, 0.07]);
  expect(found.hasConverged).toBe(true);
  // D. Card's program (dallascard/dawid_skene) with the tolerance 1e-12.
  const expected = [0.39955475, 0.42198339, 0.11179519, 0.06666667];
  for (const [k, share] of found.prevalence.entries()) expect(share).toBeCloseTo(expected[k]!, 5);
  expect(found.raters[0]!.ratings).toBe(135);
  expect(found.raters[0]!.confusion[2]![1]).toBeCloseTo(0.33882154, 4);
  expect(found.raters[0]!.confusion[3]![3]).toBeCloseTo(0.44444444, 6);
  expect(found.items[1]!.probabilities[3]).toBeCloseTo(1, 6);
});

test('ratings that are missing or all alike have no model', () => {
  expect(dawidSkene({ ratings: [] })).toEqual({ status: 'undefined', reason: 'no ratings' });
  const alike = [1, 2].map((rater) => ({ item: 1, rater, category: 'a' }));
  expect(dawidSkene({ ratings: alike })).toEqual({ status: 'undefined', reason: 'all ratings are alike' });
});

test('flips between orders are counted by direction, with an exact sign test', () => {
  const times = (count: number, forward: 'first' | 'second' | 'tie', backward: 'first' | 'second' | 'tie') =>
    Array.from({ length: count }, () => ({ forward, backward }));
  const pairs = [
    ...times(20, 'first', 'second'),
    ...times(10, 'second', 'first'),
    ...times(2, 'tie', 'tie'),
    ...times(7, 'first', 'first'),
    ...times(1, 'second', 'second'),
    ...times(3, 'tie', 'first'),
  ];
  const bias = positionBias({ pairs });
  expect(bias).toMatchObject({ n: 43, towardFirst: 7, towardSecond: 1, toTie: 3 });
  expect(bias.consistency.estimate).toBeCloseTo(32 / 43, 12);
  expect(bias.pValue).toBeCloseTo(0.0703125, 12);
  expect(positionBias({ pairs: [] })).toMatchObject({ n: 0, pValue: 1, consistency: { estimate: null } });
});

test('a judge that is asked again has a flip rate and a disagreement of pairs', () => {
  const found = selfConsistency({
    verdicts: [
      ['a', 'a', 'b'],
      ['a', 'a', 'a'],
      ['b', 'b', null],
      ['a', null, null],
    ],
  });
  expect(found).toMatchObject({ n: 3, leftOut: 1 });
  expect(found.flipRate.estimate).toBeCloseTo(1 / 3, 12);
  expect(found.disagreement.value).toBeCloseTo(2 / 9, 12);
  expect(selfConsistency({ verdicts: [] }).disagreement).toMatchObject({
    value: null,
    reason: 'no item has two verdicts',
  });
});

test('the disagreement of pairs does not depend on the number of repeats, unlike the flip rate', () => {
  const random = createRandom(5);
  const draw = (repeats: number) =>
    selfConsistency({
      verdicts: Array.from({ length: 4000 }, () =>
        Array.from({ length: repeats }, () => random.next() < 0.1),
      ),
    });
  const [two, five] = [draw(2), draw(5)];
  expect(two.disagreement.value).toBeCloseTo(0.18, 1);
  expect(Math.abs(two.disagreement.value! - five.disagreement.value!)).toBeLessThan(0.02);
  expect(five.flipRate.estimate!).toBeGreaterThan(two.flipRate.estimate! + 0.1);
});
