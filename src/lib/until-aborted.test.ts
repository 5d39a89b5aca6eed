import { expect, test } from 'vitest';
import { untilAborted } from './until-aborted.ts';

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
  for await (const item of untilAborted(source(), stop.signal)) {
    seen.push(item);
    if (item === 2) stop.abort();
  }
  expect([seen, isClosed]).toEqual([[1, 2], true]);
});
