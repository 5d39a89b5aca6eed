import { expect, test } from 'vitest';
import { giveUpWaiting } from './give-up-waiting.ts';

function begin() {
  const [stop, abort] = [new AbortController(), new AbortController()];
  return { stop, abort, work: giveUpWaiting(stop.signal, abort.signal) };
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
