import { expect, test } from 'vitest';
import { simulateLabels } from '../../../../test/support/simulate-labels.ts';
import { createRandom } from '../random.ts';
import { peopleAlone, worthOfJudge } from './people-alone.ts';
import { ppiDifference } from './ppi-difference.ts';
import { ppiMean } from './ppi-mean.ts';
import { ppiWeightedMean } from './ppi-weighted-mean.ts';
import { wilsonInterval } from '../proportion-interval.ts';
import { rateWithin, roganGladen, roganGladenOfRates } from './rogan-gladen.ts';
import { verdictStrataRate } from './verdict-strata.ts';

const times = (count: number, value: number): number[] => Array.from({ length: count }, () => value);
const halfWidth = ({ lower, upper }: { lower: number | null; upper: number | null }) => (upper! - lower!) / 2;

/** The example of docs/calibrate.md: 1,000 answers, of which a judge passes 739; 200 random labels. */
const example = {
  labels: [...times(150, 1), ...times(50, 0)],
  scores: [...times(138, 1), ...times(12, 0), ...times(9, 1), ...times(41, 0)],
  otherScores: [...times(592, 1), ...times(208, 0)],
};
const counts = { truePositives: 138, falseNegatives: 12, falsePositives: 9, trueNegatives: 41 };
const strata = [
  { size: 739, labels: 100, passes: 94 },
  { size: 261, labels: 100, passes: 22 },
];

test('PPI++ of the worked example has the values of ppi_python', () => {
  // ppi_py 0.2.3: ppi_mean_pointestimate(Y, f, f_unlabeled) and ppi_mean_ci(…, alpha=0.05).
  const tuned = ppiMean({ ...example, limits: 'normal' });
  expect(tuned.lambda).toBeCloseTo(0.574915, 6);
  expect(tuned.estimate).toBeCloseTo(0.752875, 6);
  expect(tuned.lower).toBeCloseTo(0.707279, 6);
  expect(tuned.upper).toBeCloseTo(0.79847, 6);
  expect(tuned).toMatchObject({ n: 1000, labels: 200, method: 'ppi', caution: null });
  const plain = ppiMean({ ...example, limits: 'normal', lambda: 1 });
  expect(plain.estimate).toBeCloseTo(0.755, 12);
  expect(plain.lower).toBeCloseTo(0.700812, 6);
  expect(plain.upper).toBeCloseTo(0.809188, 6);
  // λ = 0: people alone, with the divisor m as in the library.
  const alone = ppiMean({ ...example, limits: 'normal', lambda: 0 });
  expect(alone.estimate).toBe(0.75);
  expect(halfWidth(alone)).toBeCloseTo(0.060011, 6);
});

test('a tuned weight beats people alone where plain PPI is worse than no judge', () => {
  // 12 labels: 7 both, 1 label only, 1 score only, 3 neither; the judge passes 31 of 48 others.
  const few = {
    labels: [...times(8, 1), ...times(4, 0)],
    scores: [...times(7, 1), 0, 1, ...times(3, 0)],
    otherScores: [...times(31, 1), ...times(17, 0)],
    limits: 'normal' as const,
  };
  const tuned = ppiMean(few);
  expect(tuned.lambda).toBeCloseTo(0.48026, 6);
  expect(tuned.estimate).toBeCloseTo(0.656661, 6);
  expect(tuned.standardError).toBeCloseTo(0.113012, 6);
  expect(ppiMean({ ...few, lambda: 0 }).standardError).toBeCloseTo(0.136083, 6);
  expect(ppiMean({ ...few, lambda: 1 }).standardError).toBeCloseTo(0.13658, 6);
  expect(tuned.caution).toBe('too-few-labels');
});

test('PPI++ of scores has the values of ppi_python', () => {
  const labels = [0.2, 0.9, 0.7, 0.4, 1, 0.8, 0.35, 0.6, 0.55, 0.75];
  const scores = [0.3, 0.8, 0.9, 0.35, 0.9, 0.6, 0.5, 0.7, 0.45, 0.85];
  const otherScores = [0.1, 0.5, 0.6, 0.7, 0.9, 0.95, 0.8, 0.75, 0.4, 0.65, 0.85, 0.3, 0.2, 0.55, 0.45];
  const found = ppiMean({ labels, scores, otherScores });
  expect(found.method).toBe('ppi');
  expect(found.estimate).toBeCloseTo(0.6000805761551626, 10);
  expect(found.lower).toBeCloseTo(0.48235864620950153, 10);
  expect(found.upper).toBeCloseTo(0.7178025061008237, 10);
});

test('an opposite judge gets no weight, and a judge that never varies neither', () => {
  const labels = [1, 0, 1, 0, 1, 1];
  const opposite = ppiMean({ labels, scores: labels.map((y) => 1 - y), otherScores: [1, 0, 0, 1] });
  expect(opposite).toMatchObject({ lambda: 0, caution: 'too-few-labels' });
  expect(opposite.estimate).toBeCloseTo(4 / 6, 12);
  expect(ppiMean({ labels, scores: times(6, 1), otherScores: times(9, 1) }).lambda).toBe(0);
});

test('without labels, or with all of them, there is no interval but a reason', () => {
  expect(ppiMean({ labels: [], scores: [], otherScores: [1] })).toMatchObject({
    estimate: null,
    reason: 'no labels',
  });
  const all = ppiMean({ labels: [1, 0], scores: [1, 0], otherScores: [] });
  expect(all).toMatchObject({
    estimate: 0.5,
    lower: null,
    reason: 'every item is labelled: a judge adds nothing',
  });
  const alike = ppiMean({ labels: [1, 1, 1], scores: [0.5, 0.5, 0.5], otherScores: [0.5] });
  expect(alike).toMatchObject({ estimate: 1, lower: null, reason: 'the labels do not vary' });
  expect(() => ppiMean({ labels: [1], scores: [], otherScores: [] })).toThrow(RangeError);
  expect(() => ppiMean({ labels: [0.5, 1], scores: [1, 1], otherScores: [1], limits: 'wilson' })).toThrow(
    RangeError,
  );
});

test('clusters of one item give the plain variance, and doubled items that of the single ones', () => {
  const single = { labelled: [...Array(200).keys()], others: Array.from({ length: 800 }, (_, i) => 200 + i) };
  const plain = ppiMean({ ...example, limits: 'normal', lambda: 0.5 });
  const clustered = ppiMean({ ...example, clusters: single, lambda: 0.5 });
  expect(clustered.standardError).toBeCloseTo(plain.standardError! * Math.sqrt(1000 / 999), 12);
  const twice = <Value>(list: readonly Value[]) => list.flatMap((value) => [value, value]);
  const doubled = ppiMean({
    labels: twice(example.labels),
    scores: twice(example.scores),
    otherScores: twice(example.otherScores),
    clusters: { labelled: twice(single.labelled), others: twice(single.others) },
  });
  const tuned = ppiMean({ ...example, clusters: single });
  expect(doubled).toMatchObject({ n: 2000, clusters: 1000, method: 'cluster-robust-t' });
  expect(doubled.standardError).toBeCloseTo(tuned.standardError!, 12);
  expect(doubled.lambda).toBeCloseTo(tuned.lambda!, 12);
  const lambda = tuned.lambda!;
  for (const other of [lambda - 0.02, lambda + 0.02]) {
    expect(ppiMean({ ...example, clusters: single, lambda: other }).standardError!).toBeGreaterThan(
      tuned.standardError!,
    );
  }
});

test('the difference of two runs is PPI++ of the paired differences', () => {
  const b = {
    labels: [0, ...example.labels.slice(1)],
    scores: example.scores,
    otherScores: example.otherScores,
  };
  const found = ppiDifference({ a: example, b });
  // The judge sees no difference anywhere, so that only the labels count.
  expect(found.estimate).toBeCloseTo(1 / 200, 12);
  expect(found.lambda).toBe(0);
  expect(found.standardError).toBeCloseTo(Math.sqrt(((1 / 200) * (199 / 200)) / 200), 12);
  expect(() => ppiDifference({ a: example, b: { ...b, labels: [] } })).toThrow(RangeError);
});

test('limits of a difference are those of t by the labelled pairs, which give a mean and the weight of the judge', () => {
  const pairs = 30;
  const a = {
    labels: [...times(18, 1), ...times(12, 0)],
    scores: times(pairs, 1),
    otherScores: times(70, 1),
  };
  const b = { labels: [...times(9, 1), ...times(21, 0)], scores: times(pairs, 0), otherScores: times(70, 0) };
  const found = ppiDifference({ a, b });
  // t of 28 degrees of freedom at 0.975 is 2.048407.
  const margin = 2.048407 * Math.sqrt((0.3 * 0.7) / pairs) * Math.sqrt(pairs / 28);
  expect(found).toMatchObject({ method: 'ppi-t', status: 'defined' });
  expect(found.lower).toBeCloseTo(0.3 - margin, 6);
  expect(found.upper).toBeCloseTo(0.3 + margin, 6);
  const clusters = {
    labelled: times(pairs, 0).map((_, place) => place % 2),
    others: times(70, 0).map((_, place) => place),
  };
  const reason = 'labels of one or two independent pairs show no spread';
  expect(ppiDifference({ a, b, clusters })).toMatchObject({ status: 'undefined', reason });
});

test('equal probabilities give the finite-population formula of a random draw', () => {
  const allScores = [...example.scores, ...example.otherScores];
  const options = {
    labels: example.labels,
    scores: example.scores,
    probabilities: times(200, 0.2),
    allScores,
  };
  const alone = ppiWeightedMean({ ...options, lambda: 0, target: 'run' });
  expect(alone.estimate).toBeCloseTo(0.75, 12);
  expect(alone.standardError).toBeCloseTo(Math.sqrt(((0.75 * 0.25 * 200) / 199 / 200) * 0.8), 12);
  const tuned = ppiWeightedMean(options);
  const plain = ppiMean({ ...example, limits: 'normal' });
  expect(tuned.estimate).toBeCloseTo(plain.estimate!, 3);
  expect(tuned.standardError).toBeCloseTo(plain.standardError!, 3);
});

test('labels drawn more often where the judge is unsure give an unbiased, covering interval when weighted', () => {
  const random = createRandom('unequal probabilities');
  const rounds = 300;
  let [sum, unweighted, covered] = [0, 0, 0];
  for (let round = 0; round < rounds; round += 1) {
    const items = Array.from({ length: 1000 }, () => {
      const score = random.next();
      return { score, label: Number(random.next() < score), probability: 0.05 + 0.3 * (1 - score) };
    });
    const drawn = items.filter(({ probability }) => random.next() < probability);
    const labels = drawn.map(({ label }) => label);
    const found = ppiWeightedMean({
      labels,
      scores: drawn.map(({ score }) => score),
      probabilities: drawn.map(({ probability }) => probability),
      allScores: items.map(({ score }) => score),
    });
    sum += found.estimate! / rounds;
    unweighted += labels.reduce((total, label) => total + label, 0) / labels.length / rounds;
    covered += Number(found.lower! <= 0.5 && 0.5 <= found.upper!) / rounds;
  }
  expect(sum).toBeCloseTo(0.5, 1);
  expect(Math.abs(sum - 0.5)).toBeLessThan(0.006);
  expect(unweighted).toBeLessThan(0.42);
  expect(covered).toBeGreaterThan(0.91);
});

test('strata by verdict have the values of the worked example, for these answers and for such questions', () => {
  const run = verdictStrataRate({ strata, target: 'run', limits: 'normal' });
  expect(run.estimate).toBeCloseTo(0.75208, 12);
  expect(halfWidth(run)).toBeCloseTo(0.036057, 6);
  const population = verdictStrataRate({ strata, limits: 'normal' });
  expect(halfWidth(population)).toBeCloseTo(0.044904, 6);
  expect(verdictStrataRate({ strata })).toMatchObject({
    n: 1000,
    labels: 200,
    target: 'population',
    caution: null,
  });
});

test('a run whose items are all labelled is known exactly, and a stratum without labels leaves it unknown', () => {
  const all = [
    { size: 40, labels: 40, passes: 30 },
    { size: 10, labels: 10, passes: 2 },
  ];
  const exact = verdictStrataRate({ strata: all, target: 'run' });
  expect(exact.estimate).toBeCloseTo(0.64, 12);
  expect(halfWidth(exact)).toBe(0);
  expect(exact.caution).toBeNull();
  expect(halfWidth(verdictStrataRate({ strata: all }))).toBeGreaterThan(0.1);
  const missing = verdictStrataRate({ strata: [...all, { size: 5, labels: 0, passes: 0 }] });
  expect(missing).toMatchObject({
    estimate: null,
    reason: 'a stratum has no labels',
    caution: 'too-few-labels',
  });
  const alike = [
    { size: 90, labels: 45, passes: 45 },
    { size: 10, labels: 10, passes: 0 },
  ];
  expect(verdictStrataRate({ strata: alike, limits: 'normal' })).toMatchObject({
    estimate: 0.9,
    lower: expect.any(Number),
  });
  expect(verdictStrataRate({ strata: alike, target: 'run', limits: 'normal' })).toMatchObject({
    lower: null,
    reason: 'the labels of every stratum are alike',
  });
  expect(halfWidth(verdictStrataRate({ strata: alike, target: 'run' }))).toBeGreaterThan(0.01);
  expect(() => verdictStrataRate({ strata: [{ size: 1, labels: 2, passes: 0 }] })).toThrow(RangeError);
});

test('Rogan-Gladen has the values of the worked example and of the code of Lee et al.', () => {
  // confidence_interval(p, q0, q1, n, m0, m1) of UW-Madison-Lee-Lab/LLM-judge-reporting.
  const found = roganGladen({ passes: 739, n: 1000, labels: counts });
  expect(found.estimate).toBeCloseTo(0.755405, 6);
  expect(found.standardError).toBeCloseTo(0.034439, 6);
  expect(found.lower).toBeCloseTo(0.683163, 6);
  expect(found.upper).toBeCloseTo(0.823103, 6);
  const low = { truePositives: 180, falseNegatives: 20, falsePositives: 60, trueNegatives: 140 };
  const second = roganGladen({ passes: 400, n: 1000, labels: low });
  expect(second.estimate).toBeCloseTo(0.166667, 6);
  expect(second.lower).toBeCloseTo(0.056351, 6);
  expect(second.upper).toBeCloseTo(0.262733, 6);
  const few = { truePositives: 45, falseNegatives: 5, falsePositives: 12, trueNegatives: 38 };
  const third = roganGladen({ passes: 410, n: 500, labels: few });
  expect(third.estimate).toBeCloseTo(0.878788, 6);
  expect(third.lower).toBeCloseTo(0.770053, 6);
  expect(third).toMatchObject({ upper: 1, isClipped: true, isEstimateClipped: false });
});

test('Rogan-Gladen says why there is no rate, and says when it clips one', () => {
  const useless = { truePositives: 20, falseNegatives: 20, falsePositives: 20, trueNegatives: 20 };
  expect(roganGladen({ passes: 5, n: 10, labels: useless })).toMatchObject({
    estimate: null,
    lower: null,
    caution: 'too-few-labels',
    reason: 'TPR + TNR is at most 1: the judge says nothing about the truth',
  });
  const noYes = { ...useless, truePositives: 0, falseNegatives: 0 };
  expect(roganGladen({ passes: 5, n: 10, labels: noYes })).toMatchObject({
    reason: 'no label of people says yes',
  });
  expect(roganGladen({ passes: 0, n: 0, labels: counts })).toMatchObject({
    estimate: null,
    reason: 'no items',
  });
  const beyond = roganGladen({ passes: 990, n: 1000, labels: counts });
  expect(beyond).toMatchObject({ estimate: 1, upper: 1, isEstimateClipped: true, isClipped: true });
  const uneven = { truePositives: 300, falseNegatives: 700, falsePositives: 1, trueNegatives: 3 };
  expect(roganGladen({ passes: 5, n: 10, labels: uneven }).status).toBe('undefined');
});

test('error rates with their limits stand for the labels behind them, and correct a rate alike', () => {
  const rateOf = (successes: number, trials: number) => {
    const { estimate, lower, upper } = wilsonInterval({ successes, trials });
    return rateWithin({ rate: estimate, lower, upper })!;
  };
  for (const [right, labels] of [
    [138, 150],
    [3, 50],
    [50, 50],
    [25, 50],
  ] as const)
    expect(rateOf(right, labels)).toEqual({ rate: right / labels, trials: expect.closeTo(labels, 6) });
  const rates = { sensitivity: rateOf(138, 150), specificity: rateOf(41, 50) };
  const { estimate, lower, upper } = roganGladenOfRates({ passes: 739, n: 1000, ...rates });
  expect(estimate).toBeCloseTo(0.755405, 6);
  expect([lower, upper]).toEqual([expect.closeTo(0.683163, 6), expect.closeTo(0.823103, 6)]);
  expect(rateWithin({ rate: 0.5, lower: null, upper: null })).toBeUndefined();
});

test('the worth of a judge is the labels that people alone would need, relative to those with it', () => {
  const alone = ppiMean({ ...example, limits: 'normal', lambda: 0 });
  const corrected = ppiMean({ ...example, limits: 'normal' });
  expect(worthOfJudge({ alone, corrected })).toBeCloseTo((0.060011 / 0.0455955) ** 2, 4);
  const none = roganGladen({ passes: 0, n: 0, labels: counts });
  expect(worthOfJudge({ alone, corrected: none })).toBeNull();
  expect(peopleAlone({ passes: 150, labels: 200 })).toMatchObject({ estimate: 0.75, caution: null });
  expect(peopleAlone({ passes: 198, labels: 200 }).caution).toBe('too-few-labels');
  expect(peopleAlone({ passes: 0, labels: 0 })).toMatchObject({ estimate: null, caution: 'too-few-labels' });
});

test('in simulations intervals cover their truth, or say that labels are too few', () => {
  const cells = [
    { rate: 0.75, sensitivity: 0.92, specificity: 0.82, labels: 200 },
    { rate: 0.9, sensitivity: 0.95, specificity: 0.7, labels: 100 },
    { rate: 0.98, sensitivity: 0.99, specificity: 0.9, labels: 50 },
    { rate: 0.5, sensitivity: 0.6, specificity: 0.6, labels: 50 },
  ];
  const rounds = 400;
  for (const cell of cells) {
    for (const { estimator, coverage, tooFew } of simulateLabels({ ...cell, n: 500 }, { rounds, seed: 7 })) {
      if (estimator.endsWith('by verdict')) continue;
      // Three standard errors of the simulation below 93 %.
      const isCovered = coverage >= 0.93 - 3 * Math.sqrt((0.93 * 0.07) / rounds);
      expect({ estimator, cell, coverage, tooFew, isHonest: isCovered || tooFew > 0.5 }).toMatchObject({
        isHonest: true,
      });
    }
  }
});

test('labels drawn by verdict must not give the error rates of Rogan-Gladen', () => {
  const cell = { rate: 0.75, sensitivity: 0.92, specificity: 0.82, labels: 200 };
  const results = simulateLabels(cell, { rounds: 300, seed: 7 });
  const of = (name: string) => results.find(({ estimator }) => estimator === name)!;
  // For a true 75.0 % they give 91.6 % on average (90.6 % with estimates clipped to 1), with a coverage of 1.5 %.
  expect(of('Rogan-Gladen, labels drawn by verdict').meanEstimate).toBeGreaterThan(0.89);
  expect(of('Rogan-Gladen, labels drawn by verdict').coverage).toBeLessThan(0.06);
  expect(of('strata, population').meanEstimate).toBeCloseTo(0.75, 2);
  expect(Math.abs(of('strata, population').halfWidth - 0.0449)).toBeLessThan(0.003);
  expect(Math.abs(of('PPI++').halfWidth - 0.0454)).toBeLessThan(0.003);
  expect(Math.abs(of('people alone').halfWidth - 0.0599)).toBeLessThan(0.003);
});
