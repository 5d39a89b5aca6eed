import { expect, test } from 'vitest';
import { startTraceCollector } from '../../../test/support/trace-collector.ts';
import { createSpanSender } from './span-sender.ts';
import type { OutgoingSpan } from './span.ts';

/** Returns the given number of spans with distinct ids. */
function spans(count: number): OutgoingSpan[] {
  return Array.from({ length: count }, (_, number) => ({
    traceId: 'a'.repeat(32),
    spanId: (number + 1).toString(16).padStart(16, '0'),
    name: 'span',
    kind: 'internal',
    startMs: 1_767_000_000_000.25,
    endMs: 1_767_000_000_001,
    attributes: { none: undefined, whole: 5, part: { quantity: 5 }, several: ['a', 'b'], is: true },
  }));
}

/** Creates a sender to an address, and collects its failures. */
function sendTo(url: string) {
  const failures: string[] = [];
  const sender = createSpanSender({
    collector: { url, headers: {}, timeLimitMs: 3_600_000 },
    redact: (text) => text,
    onFailure: (message) => failures.push(message),
  });
  return { sender, failures };
}

test('each span arrives once, in batches, with times in microseconds and its number types', async () => {
  await using collector = await startTraceCollector();
  const { sender, failures } = sendTo(collector.url);
  sender.add(spans(300));
  sender.add(spans(600).slice(300));
  await sender.finish();
  expect(failures).toEqual([]);
  expect(new Set(collector.spans.map(({ spanId }) => spanId)).size).toBe(600);
  expect(collector.spans).toHaveLength(600);
  expect(collector.requests.length).toBeLessThanOrEqual(4);
  expect(collector.spans[0]).toMatchObject({
    startTimeUnixNano: '1767000000000250000',
    endTimeUnixNano: '1767000000001000000',
    attributes: { whole: 5n, part: 5, several: ['a', 'b'], is: true },
  });
  expect(collector.spans[0]?.attributes).not.toHaveProperty('none');
});

test('after three refused batches in a row, nothing more is sent', async () => {
  await using collector = await startTraceCollector(Array.from({ length: 20 }, () => 403));
  const { sender, failures } = sendTo(collector.url);
  sender.add(spans(5000));
  await sender.finish();
  sender.add(spans(5000));
  await sender.finish();
  expect(collector.requests).toHaveLength(3);
  expect(failures).toEqual([expect.stringContaining('it answers with status 403')]);
});

test('spans beyond the queue are dropped, and reported once', async () => {
  await using collector = await startTraceCollector();
  const { sender, failures } = sendTo(collector.url);
  sender.add(spans(12_000));
  await sender.finish();
  expect(collector.spans).toHaveLength(10_000);
  expect(failures).toEqual([expect.stringContaining('there were more than it could take')]);
});
