import { getEventListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createQueuedWork, gatherTurn, onAbort, raceWithAbort, takeUntilAborted, wait } from './waiting.ts';

test('everything that waits for a signal is done once, in the order in which it came', () => {
  const controller = new AbortController();
  const done: number[] = [];
  for (const number of [1, 2, 3]) onAbort(controller.signal, () => done.push(number));
  controller.abort();
  expect(done).toEqual([1, 2, 3]);
});

test('what was called off is not done, also when that happens while others are', () => {
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

test('nobody listens to a signal any more once all was called off, and what comes after that is done all the same', () => {
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

test('a wait takes its time, or ends with the reason for which it was given up', async () => {
  const start = performance.now();
  await wait(20, new AbortController().signal);
  expect(performance.now() - start).toBeGreaterThanOrEqual(19);
  const controller = new AbortController();
  const waiting = wait(60_000, controller.signal);
  controller.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
  await expect(wait(1, controller.signal)).rejects.toThrow('enough');
});

test('a wait of more than the 25 days that a timer takes is not over at once', async () => {
  const controller = new AbortController();
  const waiting = wait(2 ** 40, controller.signal);
  setTimeout(() => controller.abort(new Error('enough')), 20);
  await expect(waiting).rejects.toThrow('enough');
});

const stopped = new Error('stopped');

test('work that ends in time is what it comes to', async () => {
  const { signal } = new AbortController();
  expect(await raceWithAbort(Promise.resolve(5), signal)).toBe(5);
  await expect(raceWithAbort(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
});

test('work that reacts says how it ended, other work is abandoned', async () => {
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

test('a result that comes all the same is dropped, and told of', async () => {
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

test('what waits is given up when nothing new is to be begun, be it before or after it began to wait', () => {
  for (const isStoppedFirst of [true, false]) {
    const { stop, work } = begin();
    if (isStoppedFirst) stop.abort();
    work.onWaiting(true);
    stop.abort();
    expect([work.signal.aborted, work.isGivenUp()]).toEqual([true, true]);
  }
});

test('what is under way, or over, is let be, unless it is to end', () => {
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

test('what comes once the signal is aborted comes out no more, and the source is closed', async () => {
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

test('what is asked for in one turn is answered together, and each gets what is theirs', async () => {
  const asked: (readonly number[])[] = [];
  const double = gatherTurn(async (items: readonly number[]) => {
    asked.push([...items]);
    return items.map((item) => 2 * item);
  });
  expect(await Promise.all([1, 2, 3].map(double))).toEqual([2, 4, 6]);
  expect(await double(4)).toBe(8);
  expect(asked).toEqual([[1, 2, 3], [4]]);
});

test('a turn that fails fails for all that asked in it, and for nobody after', async () => {
  let isBroken = true;
  const give = gatherTurn(async (items: readonly string[]) => {
    if (isBroken) throw new Error('broken');
    return items;
  });
  const both = await Promise.allSettled([give('a'), give('b')]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  isBroken = false;
  expect(await give('c')).toBe('c');
});
