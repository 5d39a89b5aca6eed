import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { untilGivenUp } from './until-given-up.ts';

const stopped = new Error('stopped');

test('work that ends in time is what it comes to', async () => {
  const { signal } = new AbortController();
  expect(await untilGivenUp(Promise.resolve(5), signal)).toBe(5);
  await expect(untilGivenUp(Promise.reject(new Error('no')), signal)).rejects.toThrow('no');
});

test('work that takes notice says how it ended, other work is given up', async () => {
  const controller = new AbortController();
  const heedful = new Promise<never>((_, reject) => {
    controller.signal.addEventListener('abort', () => reject(new Error('half done')));
  });
  const both = [heedful, new Promise(() => {})].map((work) => untilGivenUp(work, controller.signal));
  controller.abort(stopped);
  expect(await Promise.allSettled(both)).toMatchObject([
    { reason: { message: 'half done' } },
    { reason: stopped },
  ]);
  await expect(untilGivenUp(new Promise(() => {}), controller.signal)).rejects.toBe(stopped);
});

test('a result that comes all the same is dropped, and told of', async () => {
  const controller = new AbortController();
  let late = 0;
  const work = wait(20, 'too late');
  const result = untilGivenUp(work, controller.signal, () => (late += 1));
  controller.abort(stopped);
  await expect(result).rejects.toBe(stopped);
  await work;
  expect(late).toBe(1);
});
