import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createMemoryShared } from '../../../../../test/support/memory-shared.ts';
import { recordsOfRun, type SharedRecords } from '../../../../stores/shared/shared-records.ts';
import { buildFailedTrial, buildTrial } from '../../../../library/testing/build-records.ts';
import {
  type LimitsUnderTest,
  type OpenLimits,
  testRunLimitsContract,
} from '../../../../../test/support/limits/run-limits-contract.ts';
import { pauseFor as pause } from '../../../../../test/support/limits/rate-limiter-contract.ts';
import type { RunStop } from '../../../../core/schema/run.ts';
import { createOwnLimits, type LimitsFactory, type TargetBreaker } from '../run-limits.ts';
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
    onFault: (error) => stop.abort(error),
  });
  onTestFinished(async () => await limits[Symbol.asyncDispose]());
  return { limits, stop, spent, stops };
}

function openShared(records: SharedRecords, settings: Settings, worker?: string): LimitsUnderTest {
  return open(createSharedLimits({ records, worker }), settings);
}

testRunLimitsContract('in one process', (_count, ...given) => [open(createOwnLimits, ...given)], {
  test,
  expect,
});

testRunLimitsContract(
  'over shared records',
  (count, ...given) => {
    const records = createMemoryShared();
    return Array.from({ length: count }, () => open(createSharedLimits({ records }), ...given));
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
      records: {
        change: async (...given) => {
          if (isKilled) throw new Error('it was killed');
          return await records.change(...given);
        },
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

describe('the breaker of a target over several processes', () => {
  const settings = { concurrency: 4, stopAfterFailures: undefined };
  const answer = buildTrial('yes', { target: 'bot' });

  /** Opens processes with a breaker each; `opened` has the failures in a row with which those opened. */
  function openWatched(count: number) {
    const records = createMemoryShared();
    const opened: number[] = [];
    const createBreaker = ({ limits }: LimitsUnderTest) =>
      limits.createBreaker('bot', settings, (_failures, inARow) => opened.push(inARow));
    const all = Array.from({ length: count }, () => openShared(records, {}));
    return { opened, all, createBreaker };
  }

  /** Makes trials that fail until nothing more may begin: until the breaker is open, or so many were made. */
  async function fail(
    { limits }: LimitsUnderTest,
    breaker: TargetBreaker,
    { code, isOpen, begun }: { readonly code: string; isOpen(): boolean; readonly begun: { trials: number } },
  ): Promise<void> {
    const trial = buildFailedTrial(code, 'nothing there', { target: 'bot' });
    while (!isOpen() && begun.trials < 1000 && (await limits.budget.admit('bot'))) {
      begun.trials += 1;
      await pause(2);
      limits.budget.settle(trial);
      await breaker.add(trial);
    }
  }

  async function failAll(code: string): Promise<number> {
    const { opened, all, createBreaker } = openWatched(8);
    const begun = { trials: 0 };
    const isOpen = () => opened.length > 0;
    const slots = all.flatMap((each) => {
      const breaker = createBreaker(each);
      return Array.from({ length: 4 }, async () => await fail(each, breaker, { code, isOpen, begun }));
    });
    for (const { limits } of all) onTestFinished(async () => await limits[Symbol.asyncDispose]());
    await Promise.race([Promise.all(slots), pause(5000)]);
    return begun.trials;
  }

  test('opens after the failures of all of them, of which each makes one call until there was an answer', async () => {
    // In one process with four calls in flight, 24 fail.
    const trials = await failAll('connection-failed');
    expect(trials).toBeGreaterThanOrEqual(28);
    expect(trials).toBeLessThanOrEqual(28 + 8);
  });

  test('opens for all of them with the first refused key', async () => {
    expect(await failAll('unauthorized')).toBeLessThanOrEqual(8);
  });

  test('stays open for the parts of a run that begin later, in whichever process', async () => {
    const { opened, all, createBreaker } = openWatched(2);
    const [one, other] = all as [LimitsUnderTest, LimitsUnderTest];
    const breaker = createBreaker(one);
    await breaker.add(buildFailedTrial('unauthorized', 'no', { target: 'bot' }));
    expect(opened).toEqual([1]);
    createBreaker(one);
    expect(opened).toEqual([1, 1]);
    createBreaker(other);
    await pause(2500);
    expect(opened).toEqual([1, 1, 1]);
  });

  test('lets each process make as many calls as it may once it had an answer', async () => {
    const { all, createBreaker } = openWatched(1);
    const [{ limits }] = all as [LimitsUnderTest];
    const breaker = createBreaker(all[0] as LimitsUnderTest);
    expect(await limits.budget.admit('bot')).toBe(true);
    const second = limits.budget.admit('bot');
    expect(await Promise.race([second, pause(3000).then(() => 'waits')])).toBe('waits');
    limits.budget.settle(answer);
    await breaker.add(answer);
    expect(await second).toBe(true);
    expect(await limits.budget.admit('bot')).toBe(true);
  });
});

test('a fault of the records that does not pass is told, since nothing would begin any more; another one is waited for', async () => {
  const full = new Error('the disk is full');
  const kept = createMemoryShared();
  let fault: Error | undefined = full;
  const change: SharedRecords['change'] = async (...given) => {
    if (fault !== undefined) throw fault;
    return await kept.change(...given);
  };
  const ended = open(createSharedLimits({ records: { change }, mayPass: (error) => error !== full }), {});
  expect(await ended.limits.budget.admit('bot')).toBe(false);
  expect(ended.stop.signal.reason).toBe(full);
  fault = new Error('the server is away');
  const waiting = open(createSharedLimits({ records: { change }, mayPass: (error) => error !== full }), {});
  const admitted = waiting.limits.budget.admit('bot');
  expect(await Promise.race([admitted, pause(3000).then(() => 'waits')])).toBe('waits');
  fault = undefined;
  expect(await admitted).toBe(true);
});

test('a process that waits for money, a repeat or the others goes on when a fault of the records does not pass', async () => {
  const kept = createMemoryShared();
  let isFull = false;
  const change: SharedRecords['change'] = async (...given) => {
    if (isFull) throw new Error('the disk is full');
    return await kept.change(...given);
  };
  const { limits, stop } = open(createSharedLimits({ records: { change }, mayPass: () => false }), {
    maxCost: 1,
    maxRunRetries: 9,
  });
  const breaker = limits.createBreaker('bot', { concurrency: 4, stopAfterFailures: undefined }, () => {});
  await pause(100);
  isFull = true;
  const failed = buildFailedTrial('connection-failed', 'nothing there', { target: 'bot' });
  const waiting = async () =>
    await Promise.race([
      Promise.all([limits.budget.admit('bot'), limits.takeRepeat(), breaker.add(failed)]),
      pause(5000).then(() => 'waits'),
    ]);
  expect(await waiting()).toEqual([false, false, undefined]);
  expect(stop.signal.aborted).toBe(true);
  // A call that was in flight fails after that.
  expect(await waiting()).toEqual([false, false, undefined]);
});
