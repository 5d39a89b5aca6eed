import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AdaptiveLimit } from './adaptive-limit.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Fills the limit with calls of 50 ms, a share of which the provider refuses, `rounds` times. */
function play(limit: AdaptiveLimit, rounds: number, refuses: (inFlight: number) => number): void {
  for (let round = 0; round < rounds; round += 1) {
    const count = limit.value;
    const refused = Math.round(refuses(count));
    const epochs = Array.from({ length: count }, () => limit.start());
    vi.advanceTimersByTime(50);
    for (const [index, epoch] of epochs.entries()) {
      limit.record({ type: index < refused ? 'refusal' : 'success', epoch, latencyMs: 50, isBusy: true });
    }
  }
}

test('without refusals the limit grows by a call for every answer, up to its maximum', () => {
  const limit = new AdaptiveLimit({ initial: 4, max: 100 });
  play(limit, 1, () => 0);
  expect(limit.value).toBe(8);
  play(limit, 10, () => 0);
  expect(limit.value).toBe(100);
});

test('the limit falls to the number of calls really being answered, and stays near it', () => {
  const limit = new AdaptiveLimit({ initial: 40, max: 100 });
  const seen: number[] = [];
  for (let round = 0; round < 200; round += 1) {
    play(limit, 1, (inFlight) => Math.max(0, inFlight - 20));
    seen.push(limit.value);
  }
  const later = seen.slice(20);
  expect(Math.min(...later)).toBeGreaterThanOrEqual(12);
  expect(Math.max(...later)).toBeLessThanOrEqual(30);
});

test('a decrease that does not reduce the refusals is undone, and not repeated', () => {
  const limit = new AdaptiveLimit({ initial: 50, max: 50 });
  const seen = new Set<number>();
  for (let round = 0; round < 60; round += 1) {
    play(limit, 1, (inFlight) => inFlight / 4);
    seen.add(limit.value);
  }
  expect([...seen].some((value) => value < 45)).toBe(true);
  expect(limit.value).toBe(50);
  const before = limit.start();
  play(limit, 60, (inFlight) => inFlight / 4);
  expect(limit.start()).toBe(before);
});

test('the limit never falls below one call, and recovers when the provider does', () => {
  const limit = new AdaptiveLimit({ initial: 50, max: 50 });
  play(limit, 100, (inFlight) => inFlight);
  expect(limit.value).toBe(1);
  play(limit, 2000, () => 0);
  expect(limit.value).toBe(50);
});

test('a flood of refusals is reported at once', () => {
  const limit = new AdaptiveLimit({ initial: 50, max: 50 });
  const epochs = Array.from({ length: 50 }, () => limit.start());
  const floods = epochs.map((epoch) => limit.record({ type: 'refusal', epoch, latencyMs: 1, isBusy: true }));
  expect(floods.filter(Boolean)).toHaveLength(1);
  expect(limit.value).toBe(15);
});

test('one refusal in a hundred is not a sign of load, however long it continues', () => {
  const limit = new AdaptiveLimit({ initial: 20, max: 50 });
  let calls = 0;
  const seen: number[] = [];
  for (let round = 0; round < 2000; round += 1) {
    const before = calls;
    calls += limit.value;
    play(limit, 1, () => Math.floor(calls / 100) - Math.floor(before / 100));
    seen.push(limit.value);
  }
  expect(Math.min(...seen.slice(10))).toBeGreaterThanOrEqual(45);
});

test('when no call was answered for a while, the earlier limit is soon reached again', () => {
  const limit = new AdaptiveLimit({ initial: 40, max: 40 });
  play(limit, 10, () => 0);
  play(limit, 20, (inFlight) => inFlight);
  expect(limit.value).toBe(1);
  // The sample of twenty calls that shows that it is over, then a quarter of the way in each round.
  play(limit, 20 + 20, () => 0);
  expect(limit.value).toBeGreaterThanOrEqual(36);
});
