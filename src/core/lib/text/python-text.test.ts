import { expect, test } from 'vitest';
import { countCharacters, splitWords, stripSpace, stripSpaceEnd } from './python-text.ts';

/** The characters for which `chr(c).isspace()` is true in Python 3.11. */
const spaces = new Set([
  9, 10, 11, 12, 13, 28, 29, 30, 31, 32, 133, 160, 5760, 8192, 8193, 8194, 8195, 8196, 8197, 8198, 8199, 8200,
  8201, 8202, 8232, 8233, 8239, 8287, 12288,
]);

test('white space is exactly what Python counts as white space', () => {
  for (let codePoint = 0; codePoint < 0x3100; codePoint++) {
    const pieces = splitWords(`a${String.fromCodePoint(codePoint)}b`);
    expect(pieces.length === 2, `U+${codePoint.toString(16)}`).toBe(spaces.has(codePoint));
  }
  expect(splitWords('a\ufeffb')).toHaveLength(1);
});

test('white space is removed from the ends', () => {
  expect(stripSpace('\u001c\u0085 a b\u2029')).toBe('a b');
  expect(stripSpaceEnd(' a b \n')).toBe(' a b');
  expect(stripSpace(' \t')).toBe('');
});

test('characters are code points, and each lone surrogate is one', () => {
  expect([countCharacters(''), countCharacters('a🙂'), countCharacters('\ud83d\ud83d\ude42')]).toEqual([
    0, 2, 2,
  ]);
});
