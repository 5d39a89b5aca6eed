import { expect, test } from 'vitest';
import { pairedT } from '../../../core/stats/paired/differences.ts';
import { createRandom } from '../../../core/stats/random.ts';
import { questionNoise, type QuestionStep } from './search-series.ts';

const toSteps = (
  differences: readonly number[],
  clusters: readonly (string | undefined)[] = [],
): QuestionStep[] =>
  differences.map((difference, index) => ({
    difference,
    category: 'c',
    cluster: clusters[index],
    weight: 1,
  }));

const before = [0.5, 0.6, 0.8, 0.3, 1, 0.9, 0.4, 0.7];
const after = [0.6, 0.7, 0.7, 0.6, 1, 0.9, 0.6, 0.9];

test('for two runs it is the standard error of the paired t test, divided between the two', () => {
  const differences = after.map((value, index) => value - (before[index] as number));
  const paired = pairedT({ a: before, b: after });
  // t(7) over z at 95 %.
  const allowance = 2.364624251592784 / 1.959963984540054;
  const noise = questionNoise([toSteps(differences)]);
  expect(noise).toBeCloseTo(((paired.standardError as number) / Math.SQRT2) * allowance, 10);
});

test('it estimates how much the mean of a run varies when the same questions are asked again', () => {
  const random = createRandom('noise');
  const chances = Array.from({ length: 50 }, () => random.next());
  const runs = Array.from({ length: 40 }, () => chances.map((chance) => Number(random.next() < chance)));
  const steps = runs.slice(1).map((run, index) => {
    return toSteps(run.map((value, place) => value - (runs[index]?.[place] as number)));
  });
  const truth = Math.sqrt(chances.reduce((sum, chance) => sum + chance * (1 - chance), 0)) / chances.length;
  expect((questionNoise(steps) as number) / truth).toBeGreaterThan(0.93);
  expect((questionNoise(steps) as number) / truth).toBeLessThan(1.07);
});

test('questions of one cluster that vary together vary more than as many independent ones', () => {
  const differences = [1, 1, -1, -1, 1, 1, -1, -1, 0, 0, 0, 0];
  const pairs = ['a', 'a', 'b', 'b', 'c', 'c', 'd', 'd', 'e', 'e', 'f', 'f'];
  const together = questionNoise([toSteps(differences, pairs)]) as number;
  expect(together).toBeGreaterThan((questionNoise([toSteps(differences)]) as number) * 1.3);
});

test('it is null for fewer than five questions or clusters', () => {
  expect(questionNoise([])).toBeNull();
  expect(questionNoise([toSteps([0.1, 0.2, 0.3, 0.4])])).toBeNull();
  expect(questionNoise([toSteps([0.1, 0.2, 0.3, 0.4, 0.5], ['a', 'a', 'b', 'b', 'b'])])).toBeNull();
});
