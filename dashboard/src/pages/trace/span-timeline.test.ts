import { expect, test } from 'vitest';
import { placeSpans } from './span-timeline.tsx';

const span = (spanId: string, parentId: string | null, times: readonly [number, number] | null) => ({
  spanId,
  parentId,
  name: spanId,
  startMs: times?.[0] ?? null,
  endMs: times?.[1] ?? null,
  error: null,
});

test('a span is below the one that it is inside of, with its share of the time', () => {
  const placed = placeSpans([
    span('chat', null, [1000, 1400]),
    span('search', 'chat', [1100, 1200]),
    span('after', null, [1300, 1400]),
    span('rank', 'search', [1150, 1200]),
    span('write', 'chat', [1200, 1400]),
  ]);
  expect(placed.map(({ spanId, depth, bar }) => [spanId, depth, bar?.from, bar?.length])).toEqual([
    ['chat', 0, 0, 1],
    ['search', 1, 0.25, 0.25],
    ['rank', 2, 0.375, 0.125],
    ['write', 1, 0.5, 0.5],
    ['after', 0, 0.75, 0.25],
  ]);
});

test('a span without times, without its parent, or inside of itself is listed once', () => {
  const placed = placeSpans([
    span('alone', 'gone', null),
    span('one', 'other', [5, 5]),
    span('other', 'one', [5, 5]),
  ]);
  expect(placed.map(({ spanId, depth, bar }) => [spanId, depth, bar])).toEqual([
    ['alone', 0, null],
    ['one', 0, { from: 0, length: 0 }],
    ['other', 1, { from: 0, length: 0 }],
  ]);
});
