import { expect, test } from 'vitest';
import { createOutageGate, type OutageGate } from './outage-gate.ts';

const stop = () => new AbortController();

/**
 * Lets this many questions fail once each, so that the target seems to be down; returns whether each may be repeated.
 */
function failing(gate: OutageGate, count: number): Promise<boolean[]> {
  return Promise.all(Array.from({ length: count }, async () => await gate.mayRepeat({})));
}

test('repeats are free until twenty calls in a row have failed; then one question is asked for all', async () => {
  const gate = createOutageGate(stop().signal);
  expect(await failing(gate, 19)).toEqual(Array(19).fill(true));
  const asked = {};
  expect([await gate.mayRepeat(asked), await gate.mayRepeat(asked)]).toEqual([true, true]);
  const waiting = failing(gate, 3);
  gate.onAnswered();
  expect(await waiting).toEqual([true, true, true]);
  expect(await gate.mayRepeat({})).toBe(true);
});

test('when that question fails finally, the waiting ones are not asked again', async () => {
  const gate = createOutageGate(stop().signal);
  await failing(gate, 19);
  const asked = {};
  expect(await gate.mayRepeat(asked)).toBe(true);
  const waiting = failing(gate, 2);
  gate.onEnded({});
  gate.onEnded(asked);
  expect(await waiting).toEqual([false, false]);
  expect(await gate.mayRepeat({})).toBe(true);
});

test('no question waits once the run is stopped', async () => {
  const controller = stop();
  const gate = createOutageGate(controller.signal);
  await failing(gate, 20);
  const waiting = failing(gate, 2);
  controller.abort();
  expect(await waiting).toEqual([false, false]);
  expect(await gate.mayRepeat({})).toBe(false);
});
