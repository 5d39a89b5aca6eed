import { getEventListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createQueuedWork, batchPerTurn, onAbort, raceWithAbort, takeUntilAborted, wait } from './waiting.ts';

test('every function that waits for a signal is called once, in the order of registration', () => {
  const controller = new AbortController();
  const done: number[] = [];
  for (const number of [1, 2, 3]) onAbort(controller.signal, () => done.push(number));
  controller.abort();
  expect(done).toEqual([1, 2, 3]);
});

test('a cancelled function is not called, even when it is cancelled by another one', () => {
  const controller = new AbortController();
  const done: string[] = [];
  const work = () => done.push('work');
  const callOff = onAbort(controller.signal, work);
  onAbort(controller.signal, () => callOffLast());
  onAbort(controller.signal, work);
  const callOffLast = onAbort(controller.signal, () => done.push('last'));
  callOff();
  controller.abort();
  expect(done).toEqual(['work']);
});

test('a signal has no listener after all functions are cancelled, and a later function is still called', () => {
  const controller = new AbortController();
  const done: number[] = [];
  const callOffs = [1, 2].map((number) => onAbort(controller.signal, () => done.push(number)));
  expect(getEventListeners(controller.signal, 'abort')).toHaveLength(1);
  for (const callOff of callOffs) callOff();
  expect(getEventListeners(controller.signal, 'abort')).toEqual([]);
  onAbort(controller.signal, () => done.push(3));
  for (const callOff of callOffs) callOff();
  controller.abort();
  expect(done).toEqual([3]);
});

test('a wait takes its time or rejects with the reason of the signal', async () => {
  const start = performance.now();
  await wait(20, new AbortController().signal);
  expect(performance.now() - start).toBeGreaterThanOrEqual(19);
  const controller = new AbortController();
  const waiting = wait(60_000, controller.signal);
  controller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  await expect(wait(1, controller.signal)).rejects.toThrow('enough');
});

test('a wait of more than 25 days, the limit of a timer, does not end at once', async () => {
  const controller = new AbortController();
  const waiting = wait(2 ** 40, controller.signal);
  setTimeout(() => controller.abort(new Error('enough')), 20);
  await expect(waiting).rejects.toThrow('enough');
});

const stopped = new Error('stopped');

test('work that ends in time resolves to its result', async () => {
  const { signal } = new AbortController();
  expect(await raceWithAbort(Promise.resolve(5), signal)).toBe(5);
  await expect(raceWithAbort(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
});

test('work that reacts to the signal settles by itself, other work is abandoned', async () => {
  const controller = new AbortController();
  const heedful = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(new Error('half done')));
  });
  const both = [heedful, new Promise(() => {})].map((work) => raceWithAbort(work, controller.signal));
  controller.abort(stopped);
  expect(await Promise.allSettled(both)).toMatchObject([
    { reason: { message: 'half done' } },
    { reason: stopped },
  ]);
  await expect(raceWithAbort(new Promise(() => {}), controller.signal)).rejects.toBe(stopped);
});

test('a late result is dropped and reported', async () => {
  const controller = new AbortController();
  let late = 0;
  const work = pause(20, 'too late');
  const result = raceWithAbort(work, controller.signal, () => (late += 1));
  controller.abort(stopped);
  await expect(result).rejects.toBe(stopped);
  await work;
  expect(late).toBe(1);
});

function begin() {
  const [stop, abort] = [new AbortController(), new AbortController()];
  return { stop, abort, work: createQueuedWork(stop.signal, abort.signal) };
}

test('waiting work is given up after a stop, before or after it began to wait', () => {
  for (const isStoppedFirst of [true, false]) {
    const { stop, work } = begin();
    if (isStoppedFirst) stop.abort();
    work.onWaiting(true);
    stop.abort();
    expect([work.signal.aborted, work.isGivenUp()]).toEqual([true, true]);
  }
});

test('work under way or over is not affected by a stop, only by an abort', () => {
  const { stop, abort, work } = begin();
  work.onWaiting(true);
  work.onWaiting(false);
  stop.abort();
  expect(work.signal.aborted).toBe(false);
  abort.abort();
  expect([work.signal.aborted, work.isGivenUp()]).toEqual([true, false]);
  const over = begin();
  over.work.onWaiting(true);
  over.work.end();
  over.stop.abort();
  expect(over.work.isGivenUp()).toBe(false);
});

test('items after the abort are not yielded, and the source is closed', async () => {
  const stop = new AbortController();
  let isClosed = false;
  async function* source() {
    try {
      yield* [1, 2, 3];
    } finally {
      isClosed = true;
    }
  }
  const seen: number[] = [];
  for await (const item of takeUntilAborted(source(), stop.signal)) {
    seen.push(item);
    if (item === 2) stop.abort();
  }
  expect([seen, isClosed]).toEqual([[1, 2], true]);
});

test('requests of one turn are answered together, each with its own result', async () => {
  const asked: (readonly number[])[] = [];
  const double = batchPerTurn(async (items: readonly number[]) => {
    asked.push([...items]);
    return items.map((item) => 2 * item);
  });
  expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6]);
  expect(await double(4)).toBe(8);
  expect(asked).toEqual([[1, 2, 3], [4]]);
});

test('an error rejects all requests of its turn and none after it', async () => {
  let isBroken = true;
  const give = batchPerTurn(async (items: readonly string[]) => {
    if (isBroken) throw new Error('broken');
    return items;
  });
  const both = await Promise.allSettled([give('a'), give('b')]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isBroken = false;
  expect(await give('c')).toBe('c');
});
