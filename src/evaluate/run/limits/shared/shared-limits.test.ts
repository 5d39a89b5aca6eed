import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { createMemoryShared } from '../../../../../test/support/memory-shared.ts';
import { recordsOfRun, type SharedRecords } from '../../../../stores/shared/shared-records.ts';
import { buildTrial } from '../../../../library/testing/build-records.ts';
import {
  type LimitsUnderTest,
  type OpenLimits,
  testRunLimitsContract,
} from '../../../../../test/support/limits/run-limits-contract.ts';
import { pauseFor as pause } from '../../../../../test/support/limits/rate-limiter-contract.ts';
import type { RunStop } from '../../../../core/schema/run.ts';
import { createOwnLimits, type LimitsFactory } from '../run-limits.ts';
import { resetSharedLimits } from './run-state.ts';
import { createSharedLimits } from './shared-limits.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.setTimerTickMode('nextTimerAsync');
});
afterEach(() => {
  vi.useRealTimers();
});

type Settings = Parameters<OpenLimits>[1];

function open(create: LimitsFactory, settings: Settings, areJudged = false): LimitsUnderTest {
  const stop = new AbortController();
  const [spent, stops]: [[number, number][], RunStop[]] = [[], []];
  const limits: LimitsUnderTest['limits'] = create({
    runId: 'r1',
    settings,
    areJudged,
    stop: stop.signal,
    onSpent: (...said) => {
      spent.push(said);
      if (!stop.signal.aborted) limits.announce({ reason: 'cost', message: 'the money is gone' });
      stop.abort();
    },
    onStop: (why) => {
      if (!stop.signal.aborted) stops.push(why);
      stop.abort();
    },
  });
  onTestFinished(async () => await limits[Symbol.asyncDispose]());
  return { limits, stop, spent, stops };
}

function openShared(records: SharedRecords, settings: Settings, worker?: string): LimitsUnderTest {
  return open(createSharedLimits(records, worker), settings);
}

testRunLimitsContract('in one process', (_count, ...given) => [open(createOwnLimits, ...given)], {
  test,
  expect,
});

testRunLimitsContract(
  'over shared records',
  (count, ...given) => {
    const records = createMemoryShared();
    return Array.from({ length: count }, () => open(createSharedLimits(records), ...given));
  },
  { test, expect },
);

test('the reason why one process stops the run reaches the others, and one without it', async () => {
  const records = createMemoryShared();
  const [one, other] = [openShared(records, {}), openShared(records, {})];
  const decided: RunStop = { reason: 'decided', message: 'the gate is decided' };
  one.limits.announce(decided);
  await pause(2500);
  expect(other.stops).toEqual([decided]);
  const later = openShared(records, {});
  await pause(100);
  expect(later.stops).toEqual([decided]);
  await resetSharedLimits(records, 'r1');
  const next = openShared(records, {});
  await pause(100);
  expect(next.stops).toEqual([]);
});

test('what a killed process had under way counts until its record runs out', async () => {
  const kept = createMemoryShared();
  let ahead = 0;
  // A clock that can be put forward.
  const records: SharedRecords = {
    ...kept,
    change: async (name, update) =>
      await kept.change(name, (value, now) => update(value as never, now + ahead)),
  };
  const first = openShared(records, { maxCost: 1 });
  await first.limits.budget.admit('bot');
  first.limits.budget.settle(buildTrial('yes', { target: 'bot', cost: 0.4 }));
  first.limits.budget.addScored(1);
  let isKilled = false;
  const killed = open(
    createSharedLimits({
      change: async (...given) => {
        if (isKilled) throw new Error('it was killed');
        return await records.change(...given);
      },
    }),
    { maxCost: 1 },
  );
  expect(await killed.limits.budget.admit('bot')).toBe(true);
  isKilled = true;
  const next = first.limits.budget.admit('bot');
  expect(await Promise.race([next, pause(300).then(() => 'waits')])).toBe('waits');
  ahead = 11_000;
  expect(await next).toBe(true);
});

test('an answer that a process has made and not scored is paid for once, also when another one scores it', async () => {
  const records = createMemoryShared();
  const trial = buildTrial('yes', { target: 'bot', cost: 0.4 });
  const first = openShared(records, { maxCost: 1 });
  await first.limits.budget.admit('bot');
  first.limits.budget.settle(trial);
  await first.limits[Symbol.asyncDispose]();
  const next = openShared(records, { maxCost: 1 });
  next.limits.budget.addWaiting();
  next.limits.budget.addScored(1);
  // One more costs as much and fits; two more would not.
  expect(await next.limits.budget.admit('bot')).toBe(true);
  next.limits.budget.settle(trial);
  next.limits.budget.addScored(1);
  await pause(2500);
  expect(next.limits.budget.spent().targets).toBeCloseTo(0.8);
});

test('the limits of a run are in a record that is removed with the run', async () => {
  const records = createMemoryShared();
  openShared(records, {});
  await pause(50);
  expect((await records.list('')).map(({ name }) => name)).toEqual([`${recordsOfRun('r1')}limits`]);
});

test('late answers of all processes are counted together, with their costs', async () => {
  const records = createMemoryShared();
  const all = [openShared(records, {}), openShared(records, {})];
  for (const { limits } of all) limits.addLate(0.25);
  all[0]?.limits.addLate();
  await pause(2500);
  for (const { limits } of all) expect(limits.late()).toEqual({ answers: 3, cost: 0.5 });
});
