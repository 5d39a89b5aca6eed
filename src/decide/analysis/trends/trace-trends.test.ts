import { expect, test } from 'vitest';
import type { Run, RunScorecard } from '../../../core/schema/run.ts';
import { type Trend, trendsSchema, type TrendSearch } from '../../../core/schema/trends.ts';
import { createRandom } from '../../../core/stats/random.ts';
import { buildHistory, gitAt, type History, type PastRun } from '../../../../test/support/build-history.ts';
import type { AskedCase } from '../../../../test/support/build-kept-run.ts';
import { traceTrends as traceMeasured, type TrendChoices } from './trace-trends.ts';

/** Builds the results of thirty questions in two categories; `loss` lowers the totals of those in the second, and all vary a little. */
function questions(run: number, loss = 0, count = 30): AskedCase[] {
  const random = createRandom(`run ${run}`);
  return Array.from({ length: count }, (_, index) => {
    const isLate = index >= 15;
    const total = Math.max(0, 0.7 + 0.2 * ((index % 5) / 5) + 0.1 * random.next() - (isLate ? loss : 0));
    return { asks: `q${index}`, category: isLate ? 'late' : 'early', attempts: [{ total, latencyMs: 50 }] };
  });
}

const steady = (count: number, parts: Partial<Run> = {}): PastRun[] =>
  Array.from({ length: count }, (_, index) => ({ cases: questions(index), parts }));

async function trace(history: History, choices: TrendChoices = {}) {
  const trends = trendsSchema.parse(await traceTrends(history, choices));
  return { trends, trend: trends.trends[0] as Trend };
}

function searchOf({ searches }: Trend, measure: TrendSearch['measure'], name: string = measure): TrendSearch {
  return searches.find((search) => search.measure === measure && search.name === name) as TrendSearch;
}

const traceTrends = async (history: History, choices: TrendChoices = {}) =>
  await traceMeasured(history, choices, async () => await Promise.resolve(undefined));

const scorecard: RunScorecard = {
  name: 's',
  use: { use: 's' },
  version: 1,
  criteria: [{ name: 'words', metric: 'keywords', weight: 1, required: false }],
  grades: [],
  passMark: 0.6,
};
const keywords = { name: 'keywords', use: { use: 'keywords' }, version: 1, fingerprint: 'k' };

test('a loss in one category is located between its commits, in the score and in that category alone', async () => {
  const past = Array.from({ length: 9 }, (_, index) => ({ cases: questions(index, index < 6 ? 0 : 0.3) }));
  const { trend } = await trace(await buildHistory(past));
  expect(trend).toMatchObject({ target: 'bot', measure: { type: 'score', name: 'score' } });
  expect(trend.points.map(({ run }) => run).slice(0, 2)).toEqual(['run-01', 'run-02']);
  expect(trend.points.map(({ series }) => series)).toEqual(Array.from({ length: 9 }, () => 1));
  const score = searchOf(trend, 'score');
  expect(score).toMatchObject({
    runs: 9,
    noise: 'questions',
    confidence: 0.95,
    method: 'binary-segmentation',
    looks: 30,
    assumption: 'nothing but the answers to the questions varies from run to run',
  });
  expect(score.changes).toHaveLength(1);
  const [change] = score.changes;
  expect(change).toMatchObject({
    finding: 'worse',
    before: { run: 'run-06', git: gitAt(6) },
    after: { run: 'run-07', git: gitAt(7) },
  });
  expect(change?.difference).toBeCloseTo(-0.15, 1);
  expect(change?.upper).toBeLessThan(0);
  expect(searchOf(trend, 'category', 'late').changes).toMatchObject([
    { finding: 'worse', after: { run: 'run-07' } },
  ]);
  expect(searchOf(trend, 'category', 'late').confidence).toBeCloseTo(0.975, 12);
  expect(searchOf(trend, 'category', 'early').changes).toEqual([]);
});

test('runs that vary only by chance have no change', async () => {
  const { trend } = await trace(await buildHistory(steady(10)));
  expect(trend.searches.flatMap(({ changes }) => changes)).toEqual([]);
});

test('runs that vary more than their questions do are compared by their steps', async () => {
  const moved = [0, 0.2, 0.05, 0.25, 0, 0.2, 0.1, 0.25, 0, 0.2, 0.05, 0.3];
  const past = moved.map((loss, index) => ({
    cases: questions(index).map(({ asks, category, attempts }) => ({
      asks,
      ...(category !== undefined && { category }),
      attempts: attempts.map((attempt) => ({ ...attempt, total: (attempt.total ?? 0) - loss })),
    })),
  }));
  const score = searchOf((await trace(await buildHistory(past))).trend, 'score');
  expect(score).toMatchObject({ noise: 'steps', changes: [] });
  expect(score.assumption).toContain('correlated by at most 0.5');
});

test('latency is searched by ratio once there are enough runs', async () => {
  const slow = (index: number) =>
    questions(0).map((asked) => ({
      ...asked,
      attempts: asked.attempts.map((tried) => ({
        ...tried,
        latencyMs: (index < 7 ? 100 : 180) + (index % 3),
      })),
    }));
  const past = Array.from({ length: 13 }, (_, index) => ({ cases: slow(index) }));
  const latency = searchOf((await trace(await buildHistory(past))).trend, 'latency');
  expect(latency).toMatchObject({ scale: 'ratio', noise: 'steps', unit: 'ms' });
  expect(latency.changes).toMatchObject([{ finding: 'worse', after: { run: 'run-08' } }]);
  expect(latency.changes[0]?.difference).toBeCloseTo(1.8, 1);
  const few = searchOf((await trace(await buildHistory(past.slice(0, 5)))).trend, 'latency');
  expect(few).toMatchObject({ changes: [], reason: '5 runs, of 8 that it takes' });
});

test.each<[string, Partial<Run>, object]>([
  ['another scorecard', { scorecard: { ...scorecard, passMark: 0.7 } }, { kind: 'scorecard' }],
  [
    'a metric of another version',
    { metrics: [{ ...keywords, version: 2 }] },
    { kind: 'metric', name: 'keywords', message: 'changed: version 1 → 2' },
  ],
  [
    'another judge',
    { metrics: [{ ...keywords, judge: { name: 'j', fingerprint: 'other' } }] },
    { kind: 'judge', name: 'keywords' },
  ],
  ['other options', { metrics: [{ ...keywords, fingerprint: 'other' }] }, { kind: 'metric' }],
  ['another user', { user: { name: 'u', use: { use: 'u' }, fingerprint: 'u' } }, { kind: 'user' }],
])('%s breaks the series, and no change is searched across the break', async (_, changed, expected) => {
  const rules = { scorecard, metrics: [keywords] };
  const past = Array.from({ length: 6 }, (_each, index) => ({
    cases: questions(index, index < 3 ? 0 : 0.3),
    parts: index < 3 ? rules : { ...rules, ...changed },
  }));
  const { trend } = await trace(await buildHistory(past));
  expect(trend.points.map(({ series }) => series)).toEqual([1, 1, 1, 2, 2, 2]);
  expect(trend.points.map(({ breaks }) => breaks.length)).toEqual([0, 0, 0, 1, 0, 0]);
  expect(trend.points[3]?.breaks).toMatchObject([expected]);
  expect(trend.searches.flatMap(({ changes }) => changes)).toEqual([]);
});

test('runs over other questions in between do not break the series', async () => {
  const past = steady(6).map((run, index) => (index % 2 === 0 ? run : { cases: questions(index, 0, 8) }));
  const { trend } = await trace(await buildHistory(past));
  expect(trend.points.map(({ series }) => series)).toEqual([1, 2, 1, 2, 1, 2]);
  expect(trend.points[1]?.breaks).toEqual([
    { kind: 'dataset', message: 'the dataset changed: 30 → 8 questions' },
  ]);
  expect(searchOf(trend, 'score')).toMatchObject({ series: 1, runs: 3 });
});

test('unfinished or poorly measured runs are shown with the reason and belong to no series', async () => {
  const missing = questions(0).map((asked, index) =>
    index < 4 ? { ...asked, attempts: [{ total: null }] } : asked,
  );
  const past: PastRun[] = [
    ...steady(2),
    { cases: questions(3), parts: { status: 'interrupted' } },
    { cases: missing },
    { cases: questions(4), parts: { status: 'running' } },
  ];
  const { trend } = await trace(await buildHistory(past));
  expect(trend.points.map(({ leftOut }) => leftOut)).toEqual([
    undefined,
    undefined,
    'interrupted',
    'only 86 % measured',
    'not finished',
  ]);
  expect(trend.points.map(({ series }) => series)).toEqual([1, 1, null, null, null]);
});

test('answers that were scored again stand at their original time, with their newest scores', async () => {
  const past = steady(4);
  past[3] = { cases: questions(1), parts: { rescoredFrom: 'run-02', scorecard } };
  const { trend, trends } = await trace(await buildHistory(past));
  expect(trend.points.map(({ run }) => run)).toEqual(['run-01', 'run-04', 'run-03']);
  expect(trend.points[1]?.createdAt).toBe('2026-01-02T00:00:00.000Z');
  expect(trends.superseded).toBe(1);
});

test('runs are chosen by number, time or branch', async () => {
  const past = steady(6).map((run, index) => ({
    ...run,
    parts: { git: gitAt(index, { branch: index < 4 ? 'main' : 'fix' }) },
  }));
  const history = await buildHistory(past);
  const runsOf = async (choices: TrendChoices) =>
    (await trace(history, choices)).trend.points.map(({ run }) => run);
  expect(await runsOf({ last: 2 })).toEqual(['run-05', 'run-06']);
  expect(await runsOf({ since: Date.UTC(2026, 0, 4) })).toEqual(['run-04', 'run-05', 'run-06']);
  expect(await runsOf({ branch: 'fix' })).toEqual(['run-05', 'run-06']);
  expect((await traceTrends(history, { branch: 'none' })).trends).toEqual([]);
  expect((await traceTrends(history, { last: 0 })).trends).toEqual([]);
});

test('a single category or metric can be chosen', async () => {
  const past = Array.from({ length: 6 }, (_, index) => ({ cases: questions(index, index < 3 ? 0 : 0.3) }));
  const history = await buildHistory(past);
  const late = (await trace(history, { category: 'late' })).trend;
  expect(late.points[0]).toMatchObject({ measured: 15, planned: 15 });
  expect(searchOf(late, 'score').changes).toMatchObject([{ finding: 'worse' }]);
  const early = (await trace(history, { category: 'early' })).trend;
  expect(searchOf(early, 'score').changes).toEqual([]);
  const metric = (await trace(history, { metric: 'keywords' })).trend;
  expect(metric.measure).toEqual({ type: 'metric', name: 'keywords' });
  expect(searchOf(metric, 'metric', 'keywords').changes).toMatchObject([{ finding: 'worse' }]);
});

test('without a scorecard the trend is about the first metric that is a share', async () => {
  const past = steady(3, { scorecard: null });
  const { trend } = await trace(await buildHistory(past));
  expect(trend.measure).toEqual({ type: 'metric', name: 'keywords' });
});

test('a series that is judged with different error rates is not searched, and another is', async () => {
  const past = Array.from({ length: 9 }, (_, index) => ({ cases: questions(index, index < 6 ? 0 : 0.3) }));
  const history = await buildHistory(past);
  const traced = async (judgeOf: (run: Run) => string) => {
    const { trends } = await traceMeasured(
      history,
      {},
      async (run) => await Promise.resolve({ judge: judgeOf(run) }),
    );
    return searchOf(trends[0] as Trend, 'score');
  };
  expect(await traced(() => 'same')).toMatchObject({ changes: [{ finding: 'worse' }] });
  expect(await traced(({ id }) => (id < 'run-07' ? 'one' : 'other'))).toMatchObject({
    changes: [],
    reason: expect.stringContaining('whose error rates are not the same for all versions of the target'),
  });
});

test('unknown names are refused with the known ones', async () => {
  const history = await buildHistory(steady(2));
  await expect(traceTrends(history, { targets: ['bott'] })).rejects.toThrow('has a target "bott"');
  await expect(traceTrends(history, { category: 'middle' })).rejects.toMatchObject({
    remedy: 'Choose from early, late.',
  });
  await expect(traceTrends(history, { metric: 'keyword' })).rejects.toMatchObject({
    remedy: 'Did you mean keywords?',
  });
});

test('the days of a watch, each with questions of its own, are one series, and those of another watch a second one', async () => {
  const dayOf = (watch: string, day: number, count: number): PastRun => ({
    cases: questions(day, day < 5 ? 0 : 0.3, count).map((each) => ({
      ...each,
      asks: `${watch} ${day} ${each.asks}`,
    })),
    parts: {
      tags: { watch, day: `2026-01-0${day}` },
      dataset: { sources: ['stored traces'], cases: count, hash: `${watch} ${day}` },
    },
  });
  const days = Array.from({ length: 9 }, (_, day) => dayOf('live', day + 1, 20 + day));
  const { trend } = await trace(await buildHistory([...days, dayOf('beta', 9, 30), ...steady(1)]));
  expect(trend.points.map(({ series }) => series)).toEqual([...days.map(() => 1), 2, 3]);
  expect(trend.points.slice(8).map(({ breaks }) => breaks.map(({ message }) => message))).toEqual([
    [],
    ['the questions are those of the watch beta'],
    ['the dataset changed: still 30 questions'],
  ]);
  expect(searchOf(trend, 'score')).toMatchObject({ noise: 'steps', runs: 9 });
});
