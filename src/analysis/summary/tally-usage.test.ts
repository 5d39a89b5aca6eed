import { expect, test } from 'vitest';
import type { Outcome } from '../../schema/result.ts';
import { createClusterNumbers } from './cluster-numbers.ts';
import { createUsageTally } from './tally-usage.ts';

function usageOf(trials: readonly Partial<Outcome['trial']>[]) {
  const tally = createUsageTally(1, createClusterNumbers());
  for (const [ordinal, parts] of trials.entries()) {
    const trial = { ordinal, caseId: `c${ordinal}`, target: 'bot', status: 'completed', retries: 0 } as const;
    tally.add({ case: {}, trial: { ...trial, ...parts }, verdicts: {}, scorecard: null });
  }
  return tally.summarize();
}

test('tokens are added up by kind, and calls that did not tell are counted', () => {
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

test('an unknown cost is unknown, and 0 is a cost', () => {
  expect(usageOf([{}, {}]).cost).toEqual({ sum: null, reported: 0, unknown: 2 });
  expect(usageOf([{ cost: 0 }, {}]).cost).toEqual({ sum: 0, reported: 1, unknown: 1 });
});

test('what failed or was cancelled is counted too', () => {
  const usage = usageOf([
    { status: 'failed', cost: 0.1, retries: 2 },
    { status: 'cancelled', cost: 0.2, retries: 1 },
  ]);
  expect(usage).toMatchObject({ trials: 2, retries: 3 });
  expect(usage.cost.sum).toBeCloseTo(0.3, 15);
});

test('a hundred thousand small costs lose nothing', () => {
  expect(usageOf(Array.from({ length: 100_000 }, () => ({ cost: 0.1 }))).cost.sum).toBe(10_000);
});

test('latency percentiles are nearest-rank, and null without times', () => {
  const times = Array.from({ length: 200 }, (_, index) => ({ latency: { totalMs: 200 - index } }));
  const latency = usageOf(times).latency;
  expect(latency).toMatchObject({ n: 200, p50: 100, p90: 180, p99: 198 });
  expect(latency?.intervals).toMatchObject({ n: 200, p50: { lower: 86, upper: 115 } });
  expect(usageOf([{}]).latency).toBeNull();
});
