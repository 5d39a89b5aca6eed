import { expect, test } from 'vitest';
import { createMemoryStore } from '../../../../test/support/memory-store.ts';
import { buildCase, buildTrial } from '../../../library/testing/build-records.ts';
import { forgetFleet, orderStop, reportsOf } from './fleet-records.ts';
import { beginHeartbeat, readWorkers } from './heartbeat.ts';

const runId = 'r1';

test('a worker is known from its start to its end, with what it does', async () => {
  const store = createMemoryStore();
  const heartbeat = await beginHeartbeat({ worker: 'w1', store }, runId);
  expect(await readWorkers(runId, store)).toMatchObject([
    { worker: 'w1', pid: process.pid, state: 'looking', done: 0, inFlight: 0, ageMs: expect.any(Number) },
  ]);
  const observer = heartbeat.countFor({});
  observer.onPart?.({ name: '0-20', from: 0, to: 20 }, true);
  observer.onCalling?.(1);
  observer.onCalling?.(1);
  observer.onCalling?.(-1);
  observer.onRecorded?.(buildTrial('yes', { cost: 0.5 }));
  observer.onRecorded?.(buildTrial('yes', { cost: 0.25 }));
  observer.onScored?.([{ case: buildCase(), trial: buildTrial('yes'), verdicts: {}, scorecard: null }]);
  await expect
    .poll(async () => await readWorkers(runId, store))
    .toMatchObject([{ state: 'working', part: '0-20', done: 1, inFlight: 1, waiting: 1, spent: 0.75 }]);
  await heartbeat[Symbol.asyncDispose]();
  expect(await readWorkers(runId, store)).toEqual([]);
});

test('a worker that has been refused stays known with the reason, until the run ends', async () => {
  const store = createMemoryStore();
  const heartbeat = await beginHeartbeat({ worker: 'w1', store }, runId);
  await heartbeat.reportUnfit('metric tone differs');
  await heartbeat[Symbol.asyncDispose]();
  expect(await readWorkers(runId, store)).toMatchObject([{ state: 'unfit', unfit: 'metric tone differs' }]);
  await forgetFleet(runId, store);
  expect(await readWorkers(runId, store)).toEqual([]);
});

test('a worker without a report for seconds is silent, and is forgotten after two minutes', async () => {
  const store = createMemoryStore();
  const heartbeat = await beginHeartbeat({ worker: 'w1', store }, runId);
  const makeOlder = async (ms: number) =>
    await store.shared.change<{ at: number }, void>(`${reportsOf(runId)}w1`, (value, now) => ({
      value: { ...value, at: now - ms },
      result: undefined,
    }));
  await makeOlder(8000);
  expect(await readWorkers(runId, store)).toMatchObject([{ state: 'silent', worker: 'w1' }]);
  await makeOlder(130_000);
  expect(await readWorkers(runId, store)).toEqual([]);
  await heartbeat[Symbol.asyncDispose]();
});

test('the order to stop reaches a worker, and one that comes later', async () => {
  const store = createMemoryStore();
  const heartbeat = await beginHeartbeat({ worker: 'w1', store }, runId);
  const { stop, abort } = heartbeat.signals;
  expect([stop.aborted, abort.aborted]).toEqual([false, false]);
  await orderStop(runId, 'stop', store);
  await expect.poll(() => stop.aborted).toBe(true);
  expect(abort.aborted).toBe(false);
  await orderStop(runId, 'abort', store);
  await expect.poll(() => abort.aborted).toBe(true);
  const later = await beginHeartbeat({ worker: 'w2', store }, runId);
  expect([later.signals.stop.aborted, later.signals.abort.aborted]).toEqual([true, true]);
  for (const each of [heartbeat, later]) await each[Symbol.asyncDispose]();
});
