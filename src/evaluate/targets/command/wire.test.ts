import { expect, test } from 'vitest';
import { maxReplyBytes } from '../reply/read-text.ts';
import { createLineSplitter } from './wire.ts';

function splitChunks(chunks: readonly (string | Buffer)[]) {
  const seen: string[] = [];
  const push = createLineSplitter({
    onLine: (line) => void seen.push(line.toString()),
    onLongLine: (head) => void seen.push(`too long: ${head.subarray(0, 3).toString()}`),
  });
  for (const chunk of chunks) push(Buffer.from(chunk));
  return seen;
}

test('lines are the same however they are cut into chunks', () => {
  const text = Buffer.from('first\nsécond 🙂\n\nlast\n');
  const lines = ['first', 'sécond 🙂', '', 'last'];
  for (let size = 1; size <= text.length; size += 1) {
    const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, index) =>
      text.subarray(index * size, (index + 1) * size),
    );
    expect(splitChunks(chunks)).toEqual(lines);
  }
});

test('a line without an end is not a line yet', () => {
  expect(splitChunks(['one\ntw'])).toEqual(['one']);
});

test('a line over the limit is reported once and skipped, and the next one is read', () => {
  const half = Buffer.alloc(maxReplyBytes / 2 + 1, 'x');
  expect(splitChunks(['a\n', half, half, half, '\nb\n'])).toEqual(['a', 'too long: xxx', 'b']);
});
