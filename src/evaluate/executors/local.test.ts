import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLocalExecutor } from './local.ts';

const { execute } = createLocalExecutor();
const never = new AbortController().signal;

async function* count(limit: number, onPull: (item: number) => void = () => {}) {
  for (let item = 0; item < limit; item += 1) {
    onPull(item);
    yield item;
  }
}

test('every item is worked on once and every result comes out once', async () => {
  const groups = await Array.fromAsync(
    execute(count(5000), async (item) => item * 2, { concurrency: 7, stop: never }),
  );
  expect(groups.flat().toSorted((a, b) => a - b)).toEqual(
    Array.from({ length: 5000 }, (_, item) => item * 2),
  );
  expect(groups.every((group) => group.length > 0)).toBe(true);
});

test('an execution without items ends at once', async () => {
  expect(
    await Array.fromAsync(execute(count(0), async (item) => item, { concurrency: 3, stop: never })),
  ).toEqual([]);
});

test('no more than the limit is in flight, and the limit is reached', async () => {
  let inFlight = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, (inFlight += 1));
    await wait(2);
    inFlight -= 1;
  };
  await Array.fromAsync(execute(count(60), work, { concurrency: 6, stop: never }));
  expect(most).toBe(6);
});

test('items are pulled only as fast as results are taken', async () => {
  let pulled = 0;
  const results = execute(
    count(100_000, () => (pulled += 1)),
    async (item) => item,
    { concurrency: 4, stop: never },
  );
  const first = await results[Symbol.asyncIterator]().next();
  expect(first.done).toBe(false);
  await wait(50);
  expect(pulled).toBeLessThan(1000);
});

test.each([
  { lanes: 1, waiting: 0 },
  { lanes: 150, waiting: 0 },
  // The last of these results finds the outbox full.
  { lanes: 300, waiting: 1 },
])(
  '$lanes lanes begin their next work before what they have made is handed over',
  async ({ lanes, waiting }) => {
    const rounds = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
    let begun = 0;
    const work = async (item: number) => {
      await nextTurn();
      begun += 1;
      const round = rounds[Math.floor(item / lanes)];
      // None of a round ends before all of it have begun.
      if (begun % lanes === 0) void wait(10).then(round?.resolve);
      await round?.promise;
    };
    const seen: number[][] = [];
    const groups = execute(count(3 * lanes), work, { concurrency: lanes, stop: never });
    for await (const results of groups) seen.push([results.length, begun]);
    expect(seen).toEqual([
      [lanes, 2 * lanes - waiting],
      [lanes, 3 * lanes - waiting],
      [lanes, 3 * lanes],
    ]);
  },
);

test.for([0, 1, 2, 3])(
  'a worker that ends %i turns after another begins its next work before its result is handed over',
  async (turns) => {
    const end = wait(10);
    let begun = 0;
    const work = async (item: number) => {
      await nextTurn();
      begun += 1;
      if (item > 1) return await wait(20);
      await end;
      for (let turn = 0; turn < item * turns; turn += 1) await nextTurn();
    };
    let handedOver = 0;
    for await (const results of execute(count(4), work, { concurrency: 2, stop: never })) {
      handedOver += results.length;
      expect(begun).toBe(Math.min(4, handedOver + 2));
    }
    expect(handedOver).toBe(4);
  },
);

test('after a stop nothing new is started, and the work in flight is yielded', async () => {
  const stop = new AbortController();
  let started = 0;
  const work = async (item: number) => {
    started += 1;
    if (started === 10) stop.abort();
    await wait(5);
    return item;
  };
  const results = (
    await Array.fromAsync(execute(count(1000), work, { concurrency: 4, stop: stop.signal }))
  ).flat();
  expect(results).toHaveLength(started);
  expect(started).toBeLessThan(20);
});

test('an error of the source reaches the consumer after the results that came before it', async () => {
  async function* broken() {
    yield* [1, 2, 3];
    throw new Error('disk');
  }
  const seen: number[] = [];
  const consume = async () => {
    for await (const group of execute(broken(), async (item) => item, { concurrency: 1, stop: never }))
      seen.push(...group);
  };
  await expect(consume()).rejects.toThrow('disk');
  expect(seen).toEqual([1, 2, 3]);
});

test('when work fails, nothing new is started, and the work in flight is yielded before the error', async () => {
  let started = 0;
  const work = async (item: number) => {
    started += 1;
    if (item === 2) throw new Error('disk');
    await wait(20);
    return item;
  };
  const seen: number[] = [];
  const consume = async () => {
    for await (const group of execute(count(100), work, { concurrency: 4, stop: never })) seen.push(...group);
  };
  await expect(consume()).rejects.toThrow('disk');
  expect(seen.toSorted((a, b) => a - b)).toEqual([0, 1, 3]);
  expect(started).toBe(4);
});

test('leaving early ends the source', async () => {
  let isClosed = false;
  async function* source() {
    try {
      yield* [1, 2, 3, 4];
    } finally {
      isClosed = true;
    }
  }
  for await (const _group of execute(source(), async (item) => item, { concurrency: 1, stop: never })) break;
  expect(isClosed).toBe(true);
});
