import { expect, onTestFinished, test, vi } from 'vitest';
import { createMemoryStore } from '../../test/support/memory-store.ts';
import { buildRun } from '../library/testing/build-records.ts';
import { createRunFeed, type FeedEvent } from './run-feed.ts';

const running = buildRun({ id: 'r1', status: 'running' });

/** Begins a feed over a store in memory, whose readings are made one by one. */
function begin() {
  // Writes of a store share a turn of the event loop, which goes on.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  const store = createMemoryStore();
  let readings = 0;
  let fault: Error | undefined;
  const counted = {
    ...store,
    readVersion: async () => {
      readings += 1;
      if (fault !== undefined) throw fault;
      return await store.readVersion();
    },
  };
  const feed = createRunFeed(async () => await Promise.resolve(counted));
  const listen = (lastId?: string, person?: string) => {
    const events: FeedEvent[] = [];
    const calls = { quiet: 0, ended: 0 };
    const listener = {
      onEvent: (event: FeedEvent) => events.push(event),
      onQuiet: () => (calls.quiet += 1),
      onEnd: () => (calls.ended += 1),
    };
    return {
      events,
      calls,
      ...feed.listen(listener, { lastId, person }),
      names: () => events.map(({ name }) => name),
    };
  };
  const second = async (seconds = 1) => await vi.advanceTimersByTimeAsync(seconds * 1000);
  const fail = (error: Error) => {
    fault = error;
  };
  return { store, listen, second, fail, readings: () => readings };
}

test('the store is read once a second while somebody listens, and not at all otherwise', async () => {
  const { listen, second, readings } = begin();
  await second(5);
  expect(readings()).toBe(0);
  const [one, other] = [listen(), listen()];
  await second(3);
  expect(readings()).toBe(4);
  one.stop();
  await second(1);
  expect(readings()).toBe(5);
  other.stop();
  await second(60);
  expect(readings()).toBe(5);
  expect(vi.getTimerCount()).toBe(0);
});

test('a run that is first read before its process has claimed it is sent when it ends', async () => {
  const { store, listen, second } = begin();
  const { events, names } = listen();
  await second();
  const continued = { ...running, continues: 'r0' };
  await store.createRun(continued);
  await second();
  expect(names()).toEqual(['runs-changed']);
  await store.updateRun({ ...continued, status: 'completed' });
  await second();
  expect(names().slice(1)).toEqual(['runs-changed', 'run-ended']);
  expect(events[2]?.data).toEqual({ run: 'r1', continues: 'r0' });
  await second(3);
  expect(events).toHaveLength(3);
});

test('a run is sent while it is under way, then that it has ended', async () => {
  const { store, listen, second } = begin();
  const { events, names } = listen();
  await second();
  expect(events).toEqual([]);
  await store.createRun(running);
  const claim = await store.claimRun('r1');
  await second();
  expect(names()).toEqual(['runs-changed', 'run-changed']);
  expect(events[1]?.data).toMatchObject({ run: 'r1', state: 'running', done: 0, rate: null });
  await store.updateRun({ ...running, status: 'completed' });
  await claim[Symbol.asyncDispose]();
  await second();
  expect(names().slice(2)).toEqual(['runs-changed', 'run-ended']);
  await second(3);
  expect(events).toHaveLength(4);
});

test('a run whose process has died has ended, although nothing was written', async () => {
  const { store, listen, second } = begin();
  await store.createRun({ ...running, continues: 'r0' });
  const claim = await store.claimRun('r1');
  const { names, events } = listen();
  await second(2);
  expect(new Set(names())).toEqual(new Set(['run-changed']));
  await claim[Symbol.asyncDispose]();
  await second();
  expect(events.at(-1)).toMatchObject({ name: 'run-ended', data: { run: 'r1', continues: 'r0' } });
});

test('a listener that connects again is sent what it has missed, and one of another server that all may have changed', async () => {
  const { store, listen, second } = begin();
  await store.createRun(running);
  const claim = await store.claimRun('r1');
  const first = listen();
  await second();
  const { id } = first.events.at(-1) as FeedEvent;
  const same = listen(id);
  expect(same.events).toEqual([]);
  same.stop();
  await claim[Symbol.asyncDispose]();
  await second();
  expect(listen(id).names()).toEqual(['run-ended']);
  expect(listen('other-7').names()).toEqual(['runs-changed']);
});

test('listeners without an event hear that the feed still works', async () => {
  const { listen, second } = begin();
  const { calls } = listen();
  await second(31);
  expect(calls.quiet).toBe(2);
});

test('the feed ends for its listeners when the store cannot be read', async () => {
  const { listen, second, fail } = begin();
  const { calls } = listen();
  await second();
  expect(calls.ended).toBe(0);
  fail(new Error('damaged'));
  await second();
  expect(calls.ended).toBe(1);
});

test('too many listeners are refused', () => {
  const { listen } = begin();
  for (let count = 0; count < 64; count += 1) listen();
  expect(() => listen()).toThrow(expect.objectContaining({ code: 'server-busy' }));
});

test('one person cannot take the room of the others', () => {
  const { listen } = begin();
  const own = Array.from({ length: 12 }, () => listen(undefined, 'ann'));
  expect(() => listen(undefined, 'ann')).toThrow('12 pages of ann are open already');
  listen(undefined, 'bob');
  own[0]?.stop();
  listen(undefined, 'ann');
});
