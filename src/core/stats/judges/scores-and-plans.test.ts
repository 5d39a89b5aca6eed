import { expect, test } from 'vitest';
import { labelsForKappa, labelsForRate } from './labels-needed.ts';
import { rocAuc } from './roc-auc.ts';
import { scoreCalibration } from './score-calibration.ts';

const scores = [0.1, 0.4, 0.35, 0.8, 0.65, 0.9, 0.2, 0.55, 0.7, 0.05, 0.95, 0.3];
const truth = [0, 0, 1, 1, 0, 1, 0, 1, 1, 0, 1, 0].map((label) => label === 1);

test('the area under the curve and the Brier score have the values of scikit-learn', () => {
  // sklearn.metrics.roc_auc_score and brier_score_loss.
  expect(rocAuc({ scores, truth }).estimate).toBeCloseTo(0.9166666666666667, 12);
  expect(scoreCalibration({ scores, truth }).brier.value).toBeCloseTo(0.124375, 12);
});

test("the limits of the area are within [0, 1], and DeLong's interval needs overlap and two of each", () => {
  expect(rocAuc({ scores, truth })).toMatchObject({ upper: 1, isClipped: true, positives: 6, negatives: 6 });
  const apart = rocAuc({ scores: [0.1, 0.2, 0.8, 0.9], truth: [false, false, true, true] });
  expect(apart).toMatchObject({
    estimate: 1,
    lower: null,
    reason: 'the scores of yes and no do not overlap',
  });
  expect(rocAuc({ scores: [1, 1], truth: [true, true] })).toMatchObject({ estimate: null });
  expect(rocAuc({ scores: [1, 0, 0], truth: [true, true, false] })).toMatchObject({
    estimate: 0.75,
    lower: null,
  });
  const same = rocAuc({ scores: [1, 1, 1, 1], truth: [true, true, false, false] });
  expect(same).toMatchObject({ estimate: 0.5, reason: 'the scores do not vary' });
});

test('an opposite score has the mirrored area and the same standard error', () => {
  const one = rocAuc({ scores, truth });
  const other = rocAuc({ scores: scores.map((score) => -score), truth });
  expect(other.estimate).toBeCloseTo(1 - one.estimate!, 12);
  expect(other.standardError).toBeCloseTo(one.standardError!, 12);
});

test('the calibration error depends on the number of bins, which is stated', () => {
  // numpy: Σ |share − mean score| · n_b / n over five bins of equal width.
  const five = scoreCalibration({ scores, truth, bins: 5 });
  expect(five.calibrationError.value).toBeCloseTo(0.0875, 12);
  expect(five).toMatchObject({ rule: 'equal-width', bins: 5, n: 12 });
  expect(five.reliability.map(({ n }) => n)).toEqual([2, 3, 2, 2, 3]);
  expect(scoreCalibration({ scores, truth, bins: 10 }).calibrationError.value).not.toBeCloseTo(0.0875, 2);
});

test('a score at the end of a bin belongs to the bin that begins there, and 1 to the last', () => {
  const ends = [0, 0.1, 0.2, 0.3, 0.6, 0.7, 1];
  const { reliability } = scoreCalibration({ scores: ends, truth: ends.map(() => true) });
  expect(reliability.map(({ from }) => from)).toEqual([0, 0.1, 0.2, 0.3, 0.6, 0.7, 0.9]);
});

test('bins of equal count keep equal scores together', () => {
  const tied = [0.1, 0.5, 0.5, 0.5, 0.9, 0.9];
  const { reliability } = scoreCalibration({
    scores: tied,
    truth: tied.map(() => false),
    bins: 3,
    rule: 'equal-count',
  });
  expect(reliability.map(({ n, from, to }) => [n, from, to])).toEqual([
    [4, 0.1, 0.5],
    [2, 0.9, 0.9],
  ]);
  expect(scoreCalibration({ scores: [], truth: [] }).brier).toMatchObject({
    value: null,
    reason: 'no items',
  });
  expect(() => scoreCalibration({ scores: [1.1], truth: [true] })).toThrow(RangeError);
});

test('planned numbers of labels: ±5 points of a TPR, ±.1 of kappa', () => {
  expect(labelsForRate({ rate: 0.9, halfWidth: 0.05 }).unrounded).toBeCloseTo(138.292518, 6);
  expect(labelsForRate({ rate: 0.9, halfWidth: 0.05 }).labels).toBe(139);
  expect(labelsForRate({ rate: 0.95, halfWidth: 0.05 }).labels).toBe(73);
  expect(labelsForKappa({ kappa: 0.6, halfWidth: 0.1 }).labels).toBe(246);
  expect(labelsForKappa({ kappa: 0.8, halfWidth: 0.1 }).unrounded).toBeCloseTo(138.292518, 6);
  // With a rarer yes, the same precision needs more items.
  expect(labelsForKappa({ kappa: 0.6, halfWidth: 0.1, prevalence: 0.1 }).labels).toBeGreaterThan(400);
  expect(() => labelsForRate({ rate: 0.9, halfWidth: 0 })).toThrow(RangeError);
});
