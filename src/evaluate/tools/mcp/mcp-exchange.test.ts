import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRawEvents } from './mcp-exchange.ts';

async function read(...chunks: (string | Uint8Array)[]) {
  const from = (async function* () {
    for (const chunk of chunks) yield Buffer.from(chunk as string);
  })();
  return await Array.fromAsync(readRawEvents(from));
}

const texts = (events: Awaited<ReturnType<typeof read>>) => events.map(({ bytes }) => bytes.toString());

test('an event comes with its last line, and a comment at once', async () => {
  const events = await read(
    ': ping\n',
    'id: 7\nevent: message\nda',
    'ta: {"a":\ndata: 1}\n',
    '\n: in\n\ndata: x',
  );
  expect(texts(events)).toEqual([
    ': ping\n',
    'id: 7\nevent: message\ndata: {"a":\ndata: 1}\n\n',
    ': in\n',
    '\n',
    'data: x',
  ]);
  expect(events.map(({ data, hasId }) => [data, hasId])).toEqual([
    [undefined, false],
    [' {"a":\n 1}', true],
    [undefined, false],
    [undefined, false],
    [' x', false],
  ]);
});

test('however a stream is cut, the events are the same and joined they are the stream', async () => {
  const stream = Buffer.from(
    'id: 1\r\ndata: é\r\n\r\n: c\rdata: a\rdata: b\r\r\ndata: {"n":1290461237612345678}\n\nlast: 1',
  );
  const [whole, cuts] = [await read(stream), fc.array(fc.nat(stream.length), { maxLength: 8 })];
  await fc.assert(
    fc.asyncProperty(cuts, async (places) => {
      const sorted = [0, ...places.toSorted((a, b) => a - b), stream.length];
      const events = await read(...sorted.slice(1).map((end, index) => stream.subarray(sorted[index], end)));
      expect(texts(events).join('')).toBe(stream.toString());
      const dataOf = (all: typeof events) => all.map(({ data }) => data).filter((data) => data !== undefined);
      expect(dataOf(events)).toEqual(dataOf(whole));
    }),
  );
});
