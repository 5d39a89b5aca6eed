import { expect, test } from 'vitest';
import { AdaptiveLimit } from '../adaptive-limit.ts';
import { limitBounds } from '../quota.ts';
import { type AccountReport, type AccountState, exchange } from './account-state.ts';
import type { Sample } from './outage.ts';

const start = 1_000_000;
const typicalMs = 50;

/** An outcome of a call that was sent so many milliseconds after the start and is reported at `now`. */
function outcomeOf(type: Sample['type'], sent: number, now: number): Sample {
  const retryAfterMs = type === 'refusal' ? 2000 : 0;
  return { type, epoch: 0, latencyMs: 10, isBusy: false, retryAfterMs, agoMs: now - sent };
}

/** Reports outcomes in the order given, each by another process. Returns the state then. */
function reportAll(outcomes: readonly { type: Sample['type']; sent: number; at: number }[]): AccountState {
  let state: AccountState | undefined;
  for (const [index, { type, sent, at }] of outcomes.entries()) {
    const report: AccountReport = {
      worker: `w${index}`,
      own: { requestsPerMinute: 15_000 },
      inFlight: 1,
      waiting: 1,
      wanted: 1,
      tokens: 1,
      typicalMs,
      begun: new Map([[0, 1]]),
      samples: [outcomeOf(type, sent, at)],
      moreTokens: 0,
      reported: {},
    };
    ({ state } = exchange(state, report, start + at));
  }
  return state as AccountState;
}

/** Refusals of calls that were sent every 8 ms. */
const refusals = Array.from({ length: 16 }, (_, index) => ({
  type: 'refusal' as const,
  sent: 100 + 8 * index,
  at: 120 + 8 * index,
}));
const answers = Array.from({ length: 60 }, (_, index) => ({
  type: 'success' as const,
  sent: index,
  at: index + 40,
}));

test('once all calls of a while were refused, all processes pause, and the limit stays as it was', () => {
  const state = reportAll([...answers, ...refusals]);
  expect(state.pausedUntil).toBeGreaterThanOrEqual(start + 220 + 2000);
  expect(state.limit.limit).toBe(new AdaptiveLimit(limitBounds).value);
  // Outcomes of calls that were sent before it count no more.
  expect(state.limit).toMatchObject({ epoch: 1, sent: 0, refusals: 0, change: 'start' });
});

test('answers that are reported late do not hide that all calls sent since were refused', () => {
  const late = refusals.flatMap((refusal, index) => [
    refusal,
    { type: 'success' as const, sent: index, at: refusal.at },
  ]);
  expect(reportAll([...answers, ...late]).pausedUntil).toBeGreaterThan(start);
});

test('refusals among calls that are answered, and refusals whose calls could not be answered yet, pause no process', () => {
  const among = refusals.flatMap((refusal, index) => [
    refusal,
    ...(index === 8 ? [{ type: 'success' as const, sent: refusal.sent, at: refusal.at }] : []),
  ]);
  expect(reportAll([...answers, ...among]).pausedUntil).toBe(0);
  const atOnce = refusals.map((refusal) => ({ ...refusal, sent: 100, at: 120 }));
  expect(reportAll([...answers, ...atOnce]).pausedUntil).toBe(0);
});
