import { expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import { type JudgedUnit, type JudgeErrorRates, misclassifiedMean } from './misclassified-mean.ts';
import { roganGladenOfRates } from './rogan-gladen.ts';

const rates: JudgeErrorRates = {
  sensitivity: { rate: 0.92, trials: 150 },
  specificity: { rate: 0.82, trials: 50 },
};

const unitOf = (index: number, said: number, parts: Partial<JudgedUnit> = {}): JudgedUnit => ({
  values: [0, 1],
  said,
  weight: 1,
  judges: [0],
  group: String(index),
  ...parts,
});
const onesOf = (units: readonly JudgedUnit[]) => new Map(units.map(({ group }) => [group, 1]));

test('of a single judge whose verdict is the number, it is the corrected rate of Rogan and Gladen, limits and all', () => {
  const units = Array.from({ length: 1000 }, (_, index) => unitOf(index, index < 739 ? 1 : 0));
  for (const confidence of [0.9, 0.95]) {
    const found = misclassifiedMean({ units, rates: [rates], sizes: onesOf(units), confidence });
    const known = roganGladenOfRates({ passes: 739, n: 1000, ...rates, confidence });
    expect(found.estimate).toBeCloseTo(known.estimate ?? NaN, 12);
    expect(found.lower).toBeCloseTo(known.lower ?? NaN, 12);
    expect(found.upper).toBeCloseTo(known.upper ?? NaN, 12);
  }
});

test('a score of which a judge decides a part is corrected by that part', () => {
  // 0.6 from another metric that every answer meets, 0.4 from the judge.
  const units = Array.from({ length: 400 }, (_, index) =>
    unitOf(index, index < 296 ? 1 : 0, { values: [0.6, 1] }),
  );
  const found = misclassifiedMean({ units, rates: [rates], sizes: onesOf(units) });
  const share = (0.74 + 0.82 - 1) / 0.74;
  expect(found.estimate).toBeCloseTo(0.6 + 0.4 * share, 12);
  expect((found.upper ?? 0) - (found.lower ?? 0)).toBeLessThan(0.08);
});

test('a number that no verdict changes stays as it is', () => {
  const units = Array.from({ length: 50 }, (_, index) => unitOf(index, index % 2, { values: [0.7, 0.7] }));
  const found = misclassifiedMean({ units, rates: [rates], sizes: onesOf(units), isOfRun: true });
  expect(found.estimate).toBeCloseTo(0.7, 12);
  expect(found.standardError).toBeCloseTo(0, 12);
});

test('judges that say nothing and labels of one kind have no estimate', () => {
  const units = [unitOf(0, 1), unitOf(1, 0)];
  const coin = { sensitivity: { rate: 0.5, trials: 50 }, specificity: { rate: 0.5, trials: 50 } };
  expect(misclassifiedMean({ units, rates: [coin], sizes: onesOf(units) })).toMatchObject({
    status: 'undefined',
    reason: 'TPR + TNR is at most 1: the judge says nothing about the truth',
  });
  const one = { ...rates, specificity: { rate: 0, trials: 0 } };
  expect(misclassifiedMean({ units, rates: [one], sizes: onesOf(units) }).status).toBe('undefined');
});

/** Draws whether a judge passes an answer that is right or wrong. */
type Draw = () => number;
const says = (next: Draw, truth: boolean, tpr: number, tnr: number) =>
  Number(next() < (truth ? tpr : 1 - tnr));

function measuredRates(
  next: Draw,
  labels: number,
  [share, tpr, tnr]: readonly [number, number, number],
): JudgeErrorRates {
  let [yes, right, no, refused] = [0, 0, 0, 0];
  for (let at = 0; at < labels; at += 1) {
    const truth = next() < share;
    const said = says(next, truth, tpr, tnr);
    if (truth) [yes, right] = [yes + 1, right + said];
    else [no, refused] = [no + 1, refused + 1 - said];
  }
  return {
    sensitivity: { rate: right / yes, trials: yes },
    specificity: { rate: refused / no, trials: no },
  };
}

test.each([
  ['passes that two judges decide', 0.9, 0.4, (one: number, other: number) => one * other],
  [
    'a score of which two judges decide parts',
    0.9,
    0.9,
    (one: number, other: number) => 0.3 + 0.5 * one + 0.2 * other,
  ],
])('%s: one-sided limits are wrong in at most about 5 % of runs', (_, tpr, tnr, number) => {
  const random = createRandom('two judges');
  const next = () => random.next();
  const truth = [0.8, 0.6] as const;
  const mean = 0.48 * number(1, 1) + 0.32 * number(1, 0) + 0.12 * number(0, 1) + 0.08 * number(0, 0);
  let [above, below] = [0, 0];
  const rounds = 400;
  for (let round = 0; round < rounds; round += 1) {
    const known = [measuredRates(next, 200, [0.8, tpr, tnr]), measuredRates(next, 200, [0.6, 0.9, 0.9])];
    const units = Array.from({ length: 200 }, (_each, index) => {
      const [one, other] = truth.map((share) => next() < share) as [boolean, boolean];
      const said = says(next, one, tpr, tnr) + 2 * says(next, other, 0.9, 0.9);
      const values = [number(0, 0), number(1, 0), number(0, 1), number(1, 1)];
      return unitOf(index, said, { values, judges: [0, 1] });
    });
    const found = misclassifiedMean({ units, rates: known, sizes: onesOf(units), confidence: 0.9 });
    above += Number((found.lower ?? 0) > mean);
    below += Number((found.upper ?? 1) < mean);
  }
  expect(above / rounds).toBeLessThanOrEqual(0.07);
  expect(below / rounds).toBeLessThanOrEqual(0.07);
});

test('the difference of two versions that a judge treats differently: at most about 5 % of equal ones seem to differ on a side', () => {
  const random = createRandom('difference');
  const next = () => random.next();
  let wrong = 0;
  const rounds = 400;
  for (let round = 0; round < rounds; round += 1) {
    const known = [measuredRates(next, 200, [0.6, 0.9, 0.9]), measuredRates(next, 200, [0.6, 0.9, 0.4])];
    const units = Array.from({ length: 300 }, (_, index) => {
      const [one, other] = [next() < 0.6, next() < 0.6];
      return [
        unitOf(index, says(next, one, 0.9, 0.9), { weight: -1 }),
        unitOf(index, says(next, other, 0.9, 0.4), { judges: [1] }),
      ];
    }).flat();
    const found = misclassifiedMean({
      units,
      rates: known,
      sizes: onesOf(units),
      range: { least: -1, greatest: 1 },
    });
    wrong += Number((found.lower ?? 0) > 0 || (found.upper ?? 0) < 0);
  }
  expect(wrong / rounds).toBeLessThanOrEqual(0.07);
});
