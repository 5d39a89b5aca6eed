import { expect, test } from 'vitest';
import { buildRatedAnswer } from '../../../test/support/build-rated-answer.ts';
import { createRandom } from '../../core/stats/random.ts';
import { predict } from './predict.ts';
import type { RatedAnswer } from './rated-answers.ts';

/** Builds the answers of a unit: all with one score, 30 of them rated, so many of these not bad. */
function unit(score: number, satisfied: number, parts: Partial<RatedAnswer> = {}): RatedAnswer[] {
  return Array.from({ length: 30 }, (_, index) =>
    buildRatedAnswer({ score, opinion: index < satisfied ? 'positive' : 'negative', ...parts }),
  );
}

const scores = [0.9, 0.85, 0.8, 0.8, 0.7, 0.65, 0.6, 0.5, 0.4];
const satisfied = [28, 27, 29, 24, 24, 20, 25, 15, 16];
const nineUnits = scores.flatMap((score, index) =>
  unit(score, satisfied[index] ?? 0, { category: `c${index}`, caseId: `case-${index}` }),
);

test('the correlations of nine units are those of scipy', () => {
  const { units, spearman, kendall } = predict(nineUnits);
  expect(units).toHaveLength(9);
  expect(units[0]).toEqual({
    category: 'c0',
    target: 'bot',
    week: '2026-W02',
    score: expect.closeTo(0.9, 12),
    scored: 30,
    satisfied: 28 / 30,
    rated: 30,
  });
  // scipy.stats.spearmanr(scores, satisfied), kendalltau(scores, satisfied)
  expect(spearman).toMatchObject({ status: 'measured', value: { clusters: 9, n: 9 } });
  expect(spearman.status === 'measured' && spearman.value.estimate).toBeCloseTo(0.7941176470588236, 12);
  expect(kendall.status === 'measured' && kendall.value.estimate).toBeCloseTo(0.6285714285714286, 12);
  for (const found of [spearman, kendall])
    expect(found).toMatchObject({ value: { lower: expect.any(Number), upper: expect.any(Number) } });
});

test('below eight units nothing is measured, and small units are counted but not used', () => {
  const seven = nineUnits.slice(0, 7 * 30);
  const small = unit(0.1, 30, { category: 'small' }).slice(1);
  const { spearman, kendall, units, smallUnits } = predict([...seven, ...small]);
  expect([units.length, smallUnits]).toEqual([7, 1]);
  const reason = '7 of 8 units (category × target × week with 30 rated answers)';
  expect(spearman).toEqual({ status: 'not-measured', reason });
  expect(kendall).toEqual({ status: 'not-measured', reason });
  const eighth = unit(0.1, 30, { category: 'small' });
  expect(predict([...seven, ...eighth]).spearman.status).toBe('measured');
});

test('targets and weeks are units of their own, and scores alike measure nothing', () => {
  const weeks = ['05', '12', '19', '26'].map((day) => `2026-01-${day}T00:00:00.000Z`);
  const alike = weeks.flatMap((answeredAt) =>
    ['one', 'two'].flatMap((target) => unit(0.5, 20, { answeredAt, target })),
  );
  const { units, spearman } = predict(alike);
  expect(units.map(({ target, week }) => `${target} ${week}`)).toEqual([
    'one 2026-W02',
    'one 2026-W03',
    'one 2026-W04',
    'one 2026-W05',
    'two 2026-W02',
    'two 2026-W03',
    'two 2026-W04',
    'two 2026-W05',
  ]);
  expect(spearman).toEqual({
    status: 'not-measured',
    reason: 'the scores or the opinions of all units are the same',
  });
});

test('the score and each judge are held against thumbs, as scikit-learn does', () => {
  const totals = [0.9, 0.8, 0.7, 0.2, 0.4, 0.9, 0.4, 0.6, 0.7, 0.1];
  const judge = [0.2, 0.8, 0.7, 0.2, 0.4, 0.1, 0.4, 0.6, 0.9, 0.1];
  const up = [1, 1, 1, 0, 0, 1, 1, 0, 0, 0];
  const rated = totals.map((score, index) =>
    buildRatedAnswer({
      score,
      judged: { tone: judge[index] ?? null },
      opinion: up[index] === 1 ? 'positive' : 'negative',
    }),
  );
  // Neither counts: no opinion, neither good nor bad, no score.
  const beside = [
    buildRatedAnswer({}),
    buildRatedAnswer({ opinion: 'neutral', score: 0 }),
    buildRatedAnswer({ opinion: 'positive', score: null }),
  ];
  const { separations, calibration } = predict([...rated, ...beside]);
  // sklearn.metrics.roc_auc_score(up, totals), roc_auc_score(up, judge), brier_score_loss(up, totals)
  expect(separations).toMatchObject({
    value: [
      { name: 'score', auc: { estimate: expect.closeTo(0.88, 12), positives: 5, negatives: 5 } },
      { name: 'tone', auc: { estimate: expect.closeTo(0.5, 12) } },
    ],
  });
  expect(calibration).toMatchObject({ value: { n: 10, brier: { value: expect.closeTo(0.157, 12) } } });
});

test('scores that say nothing have an AUC near one half, and without opinions there is none', () => {
  const random = createRandom('thumbs');
  const rated = Array.from({ length: 2000 }, () =>
    buildRatedAnswer({ score: random.next(), opinion: random.next() < 0.3 ? 'negative' : 'positive' }),
  );
  const { separations } = predict(rated);
  const auc = separations.status === 'measured' ? separations.value[0]?.auc : undefined;
  expect(auc?.lower).toBeLessThan(0.5);
  expect(auc?.upper).toBeGreaterThan(0.5);
  const nothing = predict([buildRatedAnswer({})]);
  expect(nothing.separations).toMatchObject({ status: 'not-measured' });
  expect(nothing.calibration).toMatchObject({ status: 'not-measured' });
  expect(nothing.gaps).toEqual([]);
});

test('the categories in which users and the score differ come first, with the answers in dispute', () => {
  const answers = [
    ...unit(0.9, 28, { category: 'agreed' }),
    ...unit(0.95, 10, { category: 'praised', caseId: 'nice-but-wrong' }),
    ...unit(0.3, 25, { category: 'blamed', caseId: 'short-but-right' }),
  ];
  const { gaps } = predict(answers);
  expect(gaps.map(({ category, ranks }) => [category, ranks])).toEqual([
    ['praised', [1, 3]],
    ['blamed', [3, 2]],
    ['agreed', [2, 1]],
  ]);
  expect(gaps[0]?.examples).toHaveLength(3);
  expect(gaps[0]?.examples[0]).toEqual({
    run: 'r',
    ordinal: 0,
    caseId: 'nice-but-wrong',
    target: 'bot',
    score: 0.95,
    opinion: 'negative',
  });
  expect(gaps[1]?.examples[0]).toMatchObject({ caseId: 'short-but-right', opinion: 'positive' });
});
