import { expect, test } from 'vitest';
import { readLines } from './use-search.ts';

const bytes = new TextEncoder().encode('{"a":"ä"}\n{"b":2}\n\n{"c":"💡"}');

test.each([1, 2, 3, 7, bytes.length])('lines are whole in pieces of %i bytes', async (size) => {
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, (at += size)));
    },
  });
  const parts = await Array.fromAsync(readLines(body));
  expect(parts.flat()).toEqual(['{"a":"ä"}', '{"b":2}', '{"c":"💡"}']);
});

test('an answer without a body has no lines, and one that is not read to its end is given up', async () => {
  expect(await Array.fromAsync(readLines(null))).toEqual([]);
  let isCancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode('line\n')),
    cancel: () => {
      isCancelled = true;
    },
  });
  for await (const lines of readLines(endless)) {
    expect(lines).toEqual(['line']);
    break;
  }
  expect(isCancelled).toBe(true);
});
