import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildKeptRun } from '../../../../test/support/build-kept-run.ts';
import { compareRuns } from '../../../people/reviews/compare-runs.ts';
import {
  groupRows,
  listUncovered,
  pairVerdicts,
  passTable,
  reachByUnit,
  reachOf,
  thinDifferences,
} from './parts.ts';

async function compared(before: readonly (number | null)[], after: readonly (number | null)[]) {
  const keep = (totals: readonly (number | null)[], id: string) =>
    buildKeptRun(
      totals.map((total, index) => ({ asks: `q${index}`, attempts: [{ total }] })),
      { id },
    );
  const { comparisons } = await compareRuns([await keep(before, 'a'), await keep(after, 'b')]);
  const [pair] = comparisons;
  if (pair === undefined) throw new Error('Two runs make one comparison.');
  return pair;
}

test('the table of passes adds up to the pairs', async () => {
  const pair = await compared([1, 1, 0, 0, 1, null, 1], [1, 0, 1, 0, 1, 1]);
  expect(passTable(pair)).toEqual({
    both: { count: 2, where: 'a.passed=true b.passed=true' },
    onlyA: { count: 1, where: 'a.passed=true b.passed=false' },
    onlyB: { count: 1, where: 'a.passed=false b.passed=true' },
    neither: { count: 1, where: 'a.passed=false b.passed=false' },
    rest: 1,
  });
  expect(listUncovered(pair)).toEqual([
    { reason: 'only in A', cases: { count: 1, ids: ['q6'] } },
    { reason: 'not measured in A alone', cases: { count: 1, ids: ['q5'] } },
  ]);
  expect(passTable(await compared([null], [null]))).toBeUndefined();
});

test('rows are grouped by what they say, and drawn on an axis that reaches their ends', async () => {
  const { quality, categories, effort } = groupRows(await compared([1, 0.5, 0, 1, 1], [1, 1, 0, 1, 0.5]));
  expect(quality.map(({ name }) => name)).toEqual(['score', 'passed', 'keywords', 'errors']);
  expect(categories).toEqual([]);
  expect(effort.map(({ name }) => name)).toEqual(['latency']);
  const [score] = quality;
  expect(reachOf(quality)).toBeGreaterThanOrEqual(score?.difference.upper ?? 1);
  expect(reachOf([])).toBe(1);
});

test('each unit has an axis of its own: 11 points do not vanish beside 1,200 characters', async () => {
  const [score, passed] = groupRows(await compared([1, 0.5, 0, 1, 1], [1, 1, 0, 1, 0.5])).quality;
  const difference = { ...score!.difference, value: -0.11, lower: -0.3, upper: 0.08 };
  const ofLength = { ...difference, value: 900, lower: 600, upper: 1_200 };
  const points = { ...score!, difference };
  const length = { ...passed!, name: 'answer-length', unit: 'characters', difference: ofLength };
  const reach = reachByUnit([points, length]);
  expect([reach(points), reach(length)]).toEqual([0.3, 1_200]);
});

test('verdicts that differ come first, and explanations alone are no difference', () => {
  const scored = (value: number, explanation: string) => ({ status: 'scored', value, explanation }) as const;
  const pairs = pairVerdicts(
    { tone: scored(1, 'kind'), facts: scored(1, ''), old: { status: 'not-applicable', reason: 'no tools' } },
    { tone: scored(1, 'warm'), facts: { status: 'failed', code: 'judge-timeout', reason: 'too slow' } },
  );
  expect(pairs.map(({ metric, isChanged, a, b }) => [metric, isChanged, a.words, b.words])).toEqual([
    ['facts', true, '100.0 %', 'not measured'],
    ['old', true, 'not applicable', 'no verdict'],
    ['tone', false, '100.0 %', '100.0 %'],
  ]);
  expect(pairs[0]?.b.explanation).toBe('judge-timeout, too slow');
});

test('equal differences are one step', () => {
  expect(thinDifferences([-1, -1, 0, 0, 0, 0.5])).toEqual([
    { difference: -1, pairs: 2 },
    { difference: 0, pairs: 3 },
    { difference: 0.5, pairs: 1 },
  ]);
  expect(thinDifferences([])).toEqual([]);
});

test('many differences become few steps in order, with the same signs and the same sum', () => {
  const numbers = fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(numbers, fc.integer({ min: 1, max: 20 }), (values, most) => {
      const sorted = values.map((value) => value + 0).sort((one, other) => one - other);
      const steps = thinDifferences(sorted, most);
      expect(steps.length).toBeLessThanOrEqual(most + 3);
      for (const sign of [-1, 0, 1]) {
        const pairs = steps.filter(({ difference }) => Math.sign(difference) === sign);
        expect(pairs.reduce((sum, step) => sum + step.pairs, 0)).toBe(
          sorted.filter((value) => Math.sign(value) === sign).length,
        );
      }
      const sum = steps.reduce((total, { difference, pairs }) => total + difference * pairs, 0);
      expect(sum).toBeCloseTo(
        sorted.reduce((total, value) => total + value, 0),
        9,
      );
      expect(steps.map(({ difference }) => difference)).toEqual(
        steps.map(({ difference }) => difference).sort((one, other) => one - other),
      );
    }),
  );
});
