import { expect, test } from 'vitest';
import { buildFeedback } from '../../../test/support/store-contract/feedback-contract.ts';
import { buildRatedAnswer } from '../../../test/support/build-rated-answer.ts';
import { type RatedAnswer, periodOf } from './rated-answers.ts';
import { summarizeFeedback } from './summarize.ts';

const many = (count: number, parts: Partial<RatedAnswer>) =>
  Array.from({ length: count }, () => buildRatedAnswer(parts));
const counts = { all: 0, matched: 0, waiting: 0, unmatched: 0 };

test('the share of negative opinions has its interval, and bounds for those who said nothing', () => {
  const answers = [
    ...many(138, { opinion: 'positive', signals: ['thumb'] }),
    ...many(12, { opinion: 'negative', signals: ['thumb', 'edit'] }),
    ...many(350, {}),
    ...many(100, { signals: ['copied', 'escalated', 'escalated'] }),
  ];
  const { all } = summarizeFeedback({ feedback: [], answers }, { counts });
  expect(all).toMatchObject({ answers: 600, records: 138 + 24 + 300, edited: 12, escalated: 100 });
  expect(all.responseRate.estimate).toBe(0.25);
  expect(all.negative.estimate).toBeCloseTo(0.08, 12);
  // 1 - statsmodels.stats.proportion.proportion_confint(138, 150, method='wilson')
  expect(all.negative.lower).toBeCloseTo(1 - 0.953646, 6);
  expect(all.negative.upper).toBeCloseTo(1 - 0.865379, 6);
  // r d = 0.25 * 0.08, and 1 - r more.
  expect(all.bounds?.lower).toBeCloseTo(0.02, 12);
  expect(all.bounds?.upper).toBeCloseTo(0.77, 12);
});

test('without opinions, the share of negative ones is unknown and not zero', () => {
  const { all, groups } = summarizeFeedback(
    { feedback: [], answers: many(3, { signals: ['edit'] }) },
    { counts },
  );
  expect(all.negative.estimate).toBe(null);
  expect(all.bounds).toBe(null);
  expect(all.responseRate.estimate).toBe(0);
  expect(groups).toHaveLength(1);
  const nothing = summarizeFeedback({ feedback: [], answers: [] }, { counts });
  expect(nothing.all.responseRate.estimate).toBe(null);
  expect(nothing.groups).toEqual([]);
});

test('answers are grouped by their own period and by category, in order', () => {
  const answers = [
    buildRatedAnswer({ category: 'z' }),
    buildRatedAnswer({ answeredAt: '2025-12-31T23:59:59.999Z' }),
    buildRatedAnswer({ answeredAt: '2025-12-28T00:00:00.000Z' }),
    buildRatedAnswer({}),
  ];
  const { groups, categories } = summarizeFeedback({ feedback: [], answers }, { counts });
  expect(groups.map(({ period, category }) => `${period} ${category}`)).toEqual([
    '2025-W52 tax',
    '2026-W01 tax',
    '2026-W02 tax',
    '2026-W02 z',
  ]);
  expect(categories.map(({ category, answers: count }) => [category, count])).toEqual([
    ['tax', 3],
    ['z', 1],
  ]);
});

test.each([
  // python: datetime.date.fromisoformat(day).isocalendar()
  ['2021-01-03', '2020-W53'],
  ['2021-01-04', '2021-W01'],
  ['2024-12-30', '2025-W01'],
  ['2026-01-01', '2026-W01'],
  ['2027-01-01', '2026-W53'],
  ['2026-06-15', '2026-W25'],
])('the ISO week of %s is %s', (day, week) => {
  expect(periodOf(`${day}T12:00:00.000Z`, 'week')).toBe(week);
  expect(periodOf(`${day}T12:00:00.000Z`, 'day')).toBe(day);
  expect(periodOf(`${day}T12:00:00.000Z`, 'month')).toBe(day.slice(0, 7));
});

test('records that came in late, opinions that were replaced, targets and periods are counted', () => {
  const kept = (id: string, at: string) => ({
    feedback: buildFeedback(id, { at, receivedAt: '2026-01-09T00:00:00.000Z' }),
    match: null,
  });
  const { late, replaced, targets, periods } = summarizeFeedback(
    {
      feedback: [kept('a', '2026-01-07T23:59:59.999Z'), kept('b', '2026-01-08T00:00:00.000Z')],
      answers: [
        buildRatedAnswer({ opinion: 'negative', opinions: 3 }),
        buildRatedAnswer({ opinion: 'positive', opinions: 1, target: 'other', category: 'z' }),
        buildRatedAnswer({ answeredAt: '2025-12-28T00:00:00.000Z' }),
      ],
    },
    { counts },
  );
  expect({ late, replaced }).toEqual({ late: 1, replaced: 2 });
  expect(targets.map(({ target, answers }) => [target, answers])).toEqual([
    ['bot', 2],
    ['other', 1],
  ]);
  expect(periods.map(({ period, category, answers }) => [period, category, answers])).toEqual([
    ['2025-W52', null, 1],
    ['2026-W02', null, 2],
  ]);
});
