import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readEventStream } from './event-stream.ts';

async function read(...chunks: Uint8Array[]) {
  return await Array.fromAsync(
    readEventStream(
      (async function* () {
        yield* chunks;
      })(),
    ),
  );
}

const bytes = (text: string) => new TextEncoder().encode(text);

test.each([
  ['a named event', 'event: ping\ndata: 1\n\n', [{ event: 'ping', data: '1' }]],
  ['several data lines', 'data: a\ndata:b\ndata\n\n', [{ event: 'message', data: 'a\nb\n' }]],
  ['comments and unknown fields', ': hi\nid: 3\nretry: 5\ndata: x\n\n', [{ event: 'message', data: 'x' }]],
  ['no blank line at the end', 'data: x', [{ event: 'message', data: 'x' }]],
  [
    'an event that is nothing but its name',
    'event: end\n\n: hi\n\ndata: x\n\n',
    [
      { event: 'end', data: '' },
      { event: 'message', data: 'x' },
    ],
  ],
  [
    'a byte order mark and CRLF',
    '\uFEFFdata: x\r\n\r\ndata: y\r\n\r\n',
    [
      { event: 'message', data: 'x' },
      { event: 'message', data: 'y' },
    ],
  ],
  [
    'CR alone',
    'data: x\r\rdata: y\r\r',
    [
      { event: 'message', data: 'x' },
      { event: 'message', data: 'y' },
    ],
  ],
  ['line separators that are none here', 'data: a\u2028b\n\n', [{ event: 'message', data: 'a\u2028b' }]],
])('%s', async (_what, text, events) => {
  expect(await read(bytes(text))).toEqual(events);
});

test('events are the same however the bytes are split', async () => {
  const text = 'event: a\r\ndata: ünï 🙂\r\n\r\n: c\ndata: 1\ndata: 2\n\nevent: b\rdata: z\r\rdata: last';
  const whole = bytes(text);
  const events = await read(whole);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(whole.length)), async (cuts) => {
      const places = [0, ...cuts.sort((a, b) => a - b), whole.length];
      const chunks = places.slice(1).map((end, index) => whole.subarray(places[index], end));
      expect(await read(...chunks)).toEqual(events);
    }),
  );
});

test('time grows with the length of a line, and not with its square', async () => {
  const piece = bytes('x'.repeat(1000));
  const before = process.threadCpuUsage();
  const [event] = await read(bytes('data: '), ...Array.from({ length: 20_000 }, () => piece), bytes('\n\n'));
  expect(event?.data).toHaveLength(20_000_000);
  expect(process.threadCpuUsage(before).user / 1000).toBeLessThan(2000);
});
