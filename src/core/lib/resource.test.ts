import { expect, test } from 'vitest';
import { createResource } from './resource.ts';

test('it is made once, closed once, and again when it is needed later', async () => {
  const done: string[] = [];
  let made = 0;
  const { get, close } = createResource(
    async () => `number ${(made += 1)}`,
    (value) => done.push(`end ${value}`),
  );
  await close();
  expect(await Promise.all([get(), get()])).toEqual(['number 1', 'number 1']);
  await Promise.all([close(), close()]);
  expect(await get()).toBe('number 2');
  await close();
  expect(done).toEqual(['end number 1', 'end number 2']);
});

test('one that could not be made is made again when it is next needed, and is never ended', async () => {
  const done: string[] = [];
  let tries = 0;
  const { get, close } = createResource(
    async () => {
      tries += 1;
      if (tries === 1) throw new Error('not yet');
      return 'made';
    },
    (value) => done.push(value),
  );
  await expect(get()).rejects.toThrow('not yet');
  await close();
  expect([await get(), done]).toEqual(['made', []]);
});
