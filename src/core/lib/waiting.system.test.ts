import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startClock } from './waiting.ts';
import { isReleaseTested } from '../../../test/support/is-release-tested.ts';

/** Computes for a time in which nothing else of this process runs. */
function keepBusy(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test('the end of the time is reported once', async () => {
  const over = Promise.withResolvers<void>();
  let times = 0;
  startClock(20, () => {
    times += 1;
    over.resolve();
  });
  await over.promise;
  await wait(60);
  expect(times).toBe(1);
});

test.skipIf(!isReleaseTested)(
  'an answer that arrived in time is read, even if this process computed until after the limit (needs TOUCHSTONE_TEST_ALL=1)',
  async () => {
    const bot = spawn(process.execPath, [
      '-e',
      'process.stdin.once("data", () => process.stdout.write("yes"))',
    ]);
    await once(bot, 'spawn');
    try {
      const heard: string[] = [];
      const done = Promise.withResolvers<void>();
      const clock = startClock(50, () => {
        heard.push('over');
        done.resolve();
      });
      bot.stdout.on('data', (text) => {
        heard.push(String(text));
        clock.stop();
        done.resolve();
      });
      bot.stdin.write('?');
      // The timers come after an immediate, and only then the data in the pipe.
      setImmediate(keepBusy, 1500);
      await done.promise;
      expect(heard).toEqual(['yes']);
    } finally {
      bot.kill();
    }
  },
);

test('a clock that was paused still ends', async () => {
  const startedAt = performance.now();
  const over = Promise.withResolvers<void>();
  startClock(10, over.resolve);
  keepBusy(100);
  await over.promise;
  expect(performance.now() - startedAt).toBeGreaterThan(100);
});

test('the clock is paused while the work waits', async () => {
  let isOver = false;
  const clock = startClock(60, () => {
    isOver = true;
  });
  clock.onWaiting(true);
  await wait(120);
  expect(isOver).toBe(false);
  clock.onWaiting(false);
  await expect.poll(() => isOver).toBe(true);
});
