import { expect, test } from 'vitest';
import type { JudgeCall, Judgement } from '../../../core/schema/judgement.ts';
import type { Outcome } from '../../../core/schema/result.ts';
import { createClusterNumbers } from './estimates.ts';
import { createUsageTally, tallyJudgements } from './tally-usage.ts';

function usageOf(trials: readonly Partial<Outcome['trial']>[]) {
  const tally = createUsageTally(1, createClusterNumbers());
  for (const [ordinal, parts] of trials.entries()) {
    const trial = { ordinal, caseId: `c${ordinal}`, target: 'bot', status: 'completed', retries: 0 } as const;
    tally.add({ case: {}, trial: { ...trial, ...parts }, verdicts: {}, scorecard: null });
  }
  return tally.summarize();
}

test('tokens are summed by kind, and calls without a report are counted', () => {
  const usage = usageOf([
    { usage: { inputTokens: 10, outputTokens: 2, cachedTokens: 4 } },
    { usage: { inputTokens: 0, outputTokens: 3 } },
    {},
  ]);
  expect(usage.inputTokens).toEqual({ sum: 10, reported: 2, unknown: 1 });
  expect(usage.outputTokens).toEqual({ sum: 5, reported: 2, unknown: 1 });
  expect(usage.cachedTokens).toEqual({ sum: 4, reported: 1, unknown: 2 });
  expect(usage.reasoningTokens).toEqual({ sum: null, reported: 0, unknown: 3 });
});

test('an unknown cost stays unknown, and 0 is a cost', () => {
  expect(usageOf([{}, {}]).cost).toEqual({ sum: null, reported: 0, unknown: 2 });
  expect(usageOf([{ cost: 0 }, {}]).cost).toEqual({ sum: 0, reported: 1, unknown: 1 });
});

test('failed and cancelled calls are counted too', () => {
  const usage = usageOf([
    { status: 'failed', cost: 0.1, retries: 2 },
    { status: 'cancelled', cost: 0.2, retries: 1 },
  ]);
  expect(usage).toMatchObject({ trials: 2, retries: 3 });
  expect(usage.cost.sum).toBeCloseTo(0.3, 15);
});

test('the sum of a hundred thousand small costs loses no precision', () => {
  expect(usageOf(Array.from({ length: 100_000 }, () => ({ cost: 0.1 }))).cost.sum).toBe(10_000);
});

test('latency percentiles are nearest-rank, and null without any time', () => {
  const times = Array.from({ length: 200 }, (_, index) => ({ latency: { totalMs: 200 - index } }));
  const latency = usageOf(times).latency;
  expect(latency).toMatchObject({ n: 200, p50: 100, p90: 180, p99: 198 });
  expect(latency?.intervals).toMatchObject({ n: 200, p50: { lower: 86, upper: 115 } });
  expect(usageOf([{}]).latency).toBeNull();
});

const call = (id: string, parts: Partial<JudgeCall> = {}): JudgeCall => ({
  id,
  startedAt: '2026-01-02T03:04:05.000Z',
  prompt: [],
  parameters: {},
  model: 'judge',
  reply: '{}',
  usage: { inputTokens: 100, outputTokens: 10 },
  cost: 0.25,
  attempts: [],
  ...parts,
});

const judgement = (key: string, calls: JudgeCall[], askedIn = 'mine'): Judgement => ({
  id: key,
  key,
  judge: { name: 'judge', fingerprint: 'f' },
  question: { id: 'relevance@1', shape: 'score', sample: 1 },
  askedIn,
  askedAt: '2026-01-02T03:04:05.000Z',
  outcome: { status: 'answered', answer: {} },
  calls,
});

async function* each<Item>(items: readonly Item[]) {
  yield* items;
}

test('a call for several questions counts once, one without a reply or of an earlier run not at all', async () => {
  const shared = call('shared');
  const { cost: _unknown, ...unpriced } = call('unpriced');
  const lost = { reply: null, usage: undefined, error: { code: 'timeout', message: 'late' } };
  const all = [
    judgement('a', [shared]),
    judgement('b', [shared]),
    judgement('c', [call('first'), unpriced]),
    judgement('d', [call('lost', lost)]),
    judgement('e', [call('earlier')], 'other'),
  ];
  expect(await tallyJudgements('mine', each(all), [])).toEqual({
    asked: 4,
    cached: 1,
    failed: 0,
    calls: 4,
    inputTokens: { sum: 300, reported: 3, unknown: 0 },
    outputTokens: { sum: 30, reported: 3, unknown: 0 },
    cost: { sum: 0.5, reported: 2, unknown: 1 },
  });
});

test('without judgements there is no summary of judges', async () => {
  expect(await tallyJudgements('mine', each([]), [])).toBeUndefined();
});
