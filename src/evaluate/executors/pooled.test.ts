import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLocalExecutor } from './local.ts';
import { createPooledExecutor } from './pooled.ts';

const never = new AbortController().signal;

async function* count(limit: number) {
  for (let item = 0; item < limit; item += 1) yield item;
}

test('executions of one pool have no more in flight together than one may have, and one begins as the other ends', async () => {
  const { execute } = createPooledExecutor(createLocalExecutor());
  const seen = { now: 0, most: 0 };
  const begun: string[] = [];
  const run = async (name: string, onLastBegun?: () => void) => {
    const work = async () => {
      begun.push(name);
      seen.now += 1;
      seen.most = Math.max(seen.most, seen.now);
      await wait(5 + Math.random() * 10);
      seen.now -= 1;
    };
    const limits = { concurrency: 4, stop: never, pool: 'bot', onLastBegun };
    return (await Array.fromAsync(execute(count(20), work, limits))).flat().length;
  };
  const allBegun = Promise.withResolvers<void>();
  const first = run('first', allBegun.resolve);
  await allBegun.promise;
  expect(begun).toHaveLength(20);
  expect(seen.now).toBeGreaterThan(0);
  expect(await Promise.all([first, run('second')])).toEqual([20, 20]);
  expect(seen.most).toBe(4);
});

test('an execution without a pool, and one of another pool, do not wait', async () => {
  const { execute } = createPooledExecutor(createLocalExecutor());
  const blocked = Promise.withResolvers<void>();
  const limits = { concurrency: 1, stop: never };
  const held = Array.fromAsync(
    execute(count(1), async () => await blocked.promise, { ...limits, pool: 'a' }),
  );
  for (const pool of [undefined, 'b'])
    expect(
      (await Array.fromAsync(execute(count(3), async (item) => item, { ...limits, pool }))).flat(),
    ).toEqual([0, 1, 2]);
  blocked.resolve();
  await held;
});

test('the place of work that fails, and of a source that fails, is free for others', async () => {
  const { execute } = createPooledExecutor(createLocalExecutor());
  const limits = { concurrency: 1, stop: never, pool: 'bot' };
  const fail = async () => {
    throw new Error('no');
  };
  async function* broken(): AsyncGenerator<number> {
    yield* [];
    throw new Error('away');
  }
  await expect(Array.fromAsync(execute(count(3), fail, limits))).rejects.toThrow('no');
  await expect(Array.fromAsync(execute(broken(), fail, limits))).rejects.toThrow('away');
  expect((await Array.fromAsync(execute(count(2), async (item) => item, limits))).flat()).toEqual([0, 1]);
});
