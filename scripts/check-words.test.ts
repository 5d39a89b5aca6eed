import { expect, test } from 'vitest';
import { findBannedWords } from './check-words.ts';

test('a banned word is reported with its line and its replacement', () => {
  const text =
    '// Plain words.\n// Tells whoever asks,\n// in the stead of others. Goods and steady hands may stay.';
  expect(findBannedWords('src/a.ts', text)).toEqual([
    'src/a.ts:2: "whoever" is not plain; write: name who it is: the caller, the process, the user',
    'src/a.ts:3: "stead" is not plain; write: in place of',
  ]);
});
