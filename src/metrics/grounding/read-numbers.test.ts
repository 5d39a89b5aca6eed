import { expect, test } from 'vitest';
import { readNumbers } from './read-numbers.ts';

test.each([
  ['1,204', [[[1204], [1.204]]]],
  ['1.204', [[[1.204], [1204]]]],
  ['1204,50 €', [[[1204, 50], [1204.5]]]],
  ['0.66', [[[0.66]]]],
  ['$2951.02', [[[2951.02]]]],
  ['1.204,50', [[[1204.5], [1204.5]]]],
  [
    '5 and 7',
    [
      [[5], [5]],
      [[7], [7]],
    ],
  ],
  ['none', []],
])('%j', (text, values) => {
  const read = readNumbers(text).map(({ readings }) =>
    readings.map((reading) => reading.map(({ value }) => value)),
  );
  expect(read).toEqual(values);
});
