import { expect, test } from 'vitest';
import { wait } from './wait.ts';

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
