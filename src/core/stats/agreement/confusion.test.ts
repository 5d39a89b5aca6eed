import { expect, test } from 'vitest';
import { confusionCounts, confusionRates } from './confusion.ts';
import { weightedConfusionRates } from './weighted-confusion.ts';

const times = <Value>(count: number, value: Value): Value[] => Array.from({ length: count }, () => value);

/** The table of the example in docs/calibrate.md: 138 and 12 of people's yes, 9 and 41 of their no. */
const truth = [...times(150, true), ...times(50, false)];
const predicted = [...times(138, true), ...times(12, false), ...times(9, true), ...times(41, false)];
const counts = { truePositives: 138, falseNegatives: 12, falsePositives: 9, trueNegatives: 41 };

test('paired verdicts are counted by both sides', () => {
  expect(confusionCounts({ truth, predicted })).toEqual(counts);
  expect(() => confusionCounts({ truth, predicted: [] })).toThrow(RangeError);
});

test('the rates of the worked example have their values to six decimals', () => {
  const rates = confusionRates(counts);
  expect(rates.n).toBe(200);
  expect(rates.sensitivity.estimate).toBeCloseTo(0.92, 12);
  expect(rates.sensitivity.lower).toBeCloseTo(0.865379, 6);
  expect(rates.sensitivity.upper).toBeCloseTo(0.953646, 6);
  expect(rates.specificity.estimate).toBeCloseTo(0.82, 12);
  expect(rates.specificity.lower).toBeCloseTo(0.692039, 6);
  expect(rates.specificity.upper).toBeCloseTo(0.902298, 6);
  expect(rates.positivePredictiveValue.estimate).toBeCloseTo(0.938776, 6);
  expect(rates.negativePredictiveValue.estimate).toBeCloseTo(0.773585, 6);
  expect(rates.accuracy.estimate).toBeCloseTo(0.895, 12);
  expect(rates.prevalence.estimate).toBe(0.75);
  // sklearn.metrics.matthews_corrcoef and f1_score of the same 200 pairs.
  expect(rates.matthewsCorrelation.value).toBeCloseTo(0.7260486951573563, 12);
  expect(rates.f1.value).toBeCloseTo(0.9292929292929293, 12);
  expect(rates.youdensJ.value).toBeCloseTo(0.74, 12);
});

test('45 of 50 and 38 of 50 have the reference limits', () => {
  const rates = confusionRates({
    truePositives: 45,
    falseNegatives: 5,
    falsePositives: 12,
    trueNegatives: 38,
  });
  expect(rates.sensitivity.lower).toBeCloseTo(0.786398, 6);
  expect(rates.sensitivity.upper).toBeCloseTo(0.956524, 6);
  expect(rates.specificity.lower).toBeCloseTo(0.625873, 6);
  expect(rates.specificity.upper).toBeCloseTo(0.857026, 6);
  expect(rates.matthewsCorrelation.value).toBeCloseTo(0.666565, 6);
});

test('a rate without trials is undefined with its reason, never 0', () => {
  const rates = confusionRates({ truePositives: 0, falseNegatives: 0, falsePositives: 0, trueNegatives: 7 });
  expect(rates.sensitivity).toMatchObject({ status: 'undefined', estimate: null, reason: 'no attempts' });
  expect(rates.positivePredictiveValue.estimate).toBeNull();
  expect(rates.f1).toMatchObject({ value: null, reason: 'neither people nor the judge say yes' });
  expect(rates.matthewsCorrelation.value).toBeNull();
  expect(rates.youdensJ.value).toBeNull();
  expect(rates.specificity).toMatchObject({ estimate: 1, upper: 1 });
});

test('equal probabilities give the unweighted rates', () => {
  const weighted = weightedConfusionRates({ truth, predicted, probabilities: times(200, 0.2) });
  const plain = confusionRates(counts);
  for (const name of ['sensitivity', 'specificity', 'accuracy', 'prevalence'] as const) {
    expect(weighted[name].estimate).toBeCloseTo(plain[name].estimate!, 12);
    // The variance of a ratio has n − 1, so the effective number of trials is slightly smaller.
    expect(weighted[name].lower).toBeCloseTo(plain[name].lower!, 2);
  }
  expect(weighted.matthewsCorrelation.value).toBeCloseTo(plain.matthewsCorrelation.value!, 12);
});

/** 100 labels of the 739 items that a judge passes, and 100 of the 261 that it fails. */
const drawnByVerdict = {
  truth: [...times(94, true), ...times(6, false), ...times(22, true), ...times(78, false)],
  predicted: [...times(100, true), ...times(100, false)],
  probabilities: [...times(100, 100 / 739), ...times(100, 100 / 261)],
  strata: [...times(100, 'pass'), ...times(100, 'fail')],
};

test('labels drawn by verdict give the rates of the population only when they are weighted', () => {
  const weighted = weightedConfusionRates(drawnByVerdict);
  const plain = confusionRates(confusionCounts(drawnByVerdict));
  // 94 · 7.39 / (94 · 7.39 + 22 · 2.61), and 78 · 2.61 / (78 · 2.61 + 6 · 7.39).
  expect(weighted.sensitivity.estimate).toBeCloseTo(694.66 / 752.08, 12);
  expect(weighted.specificity.estimate).toBeCloseTo(203.58 / 247.92, 12);
  expect(plain.sensitivity.estimate).toBeCloseTo(94 / 116, 12);
  expect(weighted.positiveRate.estimate).toBeCloseTo(0.739, 12);
});

test('the limits of weighted rates follow from the delta method of the two predictive values', () => {
  const { sensitivity } = weightedConfusionRates(drawnByVerdict);
  // TPR = .739 a / (.739 a + .261 b) at a = .94, b = .22, with the variances a (1 − a) / 99 and b (1 − b) / 99.
  const total = 0.739 * 0.94 + 0.261 * 0.22;
  const byA = (0.739 * 0.261 * 0.22) / total ** 2;
  const byB = (-0.739 * 0.94 * 0.261) / total ** 2;
  const variance = (byA ** 2 * 0.94 * 0.06 + byB ** 2 * 0.22 * 0.78) / 99;
  const p = (0.739 * 0.94) / total;
  const trials = (p * (1 - p)) / variance;
  const z = 1.959963984540054;
  const half = (z * Math.sqrt((p * (1 - p)) / trials + z ** 2 / 4 / trials ** 2)) / (1 + z ** 2 / trials);
  expect(sensitivity.upper! - sensitivity.lower!).toBeCloseTo(2 * half, 10);
});

test('weights of strata make intervals narrower than independent draws, and odd probabilities are refused', () => {
  const { strata: _, ...independent } = drawnByVerdict;
  const width = ({ prevalence }: ReturnType<typeof confusionRates>) => prevalence.upper! - prevalence.lower!;
  expect(width(weightedConfusionRates(drawnByVerdict))).toBeLessThan(
    width(weightedConfusionRates(independent)),
  );
  expect(() => weightedConfusionRates({ truth: [true], predicted: [true], probabilities: [0] })).toThrow(
    RangeError,
  );
  const none = weightedConfusionRates({ truth: [], predicted: [], probabilities: [] });
  expect(none.accuracy).toMatchObject({ status: 'undefined', estimate: null });
});
