import fc from 'fast-check';
import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { displayWidth, shorten, toTerminalText, wrap } from './terminal-text.ts';

const hostilePieces = [
  '\u001b[2J\u001b[H',
  '\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007',
  '\u001b]52;c;ZXZpbA==\u0007',
  '\u009b31m',
  '\r',
  '\r\n',
  '\n',
  '\t',
  '\0',
  '\u007f',
  '\u202e',
  '\u2066',
  '\u200b',
  '\u200d',
  '\ufeff',
  '\u2028',
  '\ud800',
  '\udc00',
  '\u0301'.repeat(20),
  '\u{e0041}',
  '\ufe0f',
  '字',
  'ﾞ',
  '👩‍👩‍👧',
  '🇨🇭',
  'é',
  'क्‍ष',
  ' ',
  'word',
];
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)) }),
  fc
    .array(fc.oneof(fc.constantFrom(...hostilePieces), fc.string()), { maxLength: 40 })
    .map((all) => all.join('')),
);
const harmful = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/u;

test('escape sequences and control characters become visible', () => {
  expect(toTerminalText('a\u001b[2Jb\0c\u007fd\u009be\rf')).toBe('a␛[2Jb␀c␡d\\u009be␍f');
});

test('bidi overrides, hidden characters, line separators and lone surrogates become visible', () => {
  expect(toTerminalText('x\u202ey\u2066z')).toBe('x\\u202ey\\u2066z');
  expect(toTerminalText('pay\u200bpal \u{e0041}')).toBe('pay\\u200bpal \\u{e0041}');
  expect(toTerminalText('a\u2028b\ud800')).toBe('a\\u2028b\\ud800');
});

test('newlines become one mark and tabs a space', () => {
  expect(toTerminalText('one\r\n\ntwo\tthree')).toBe('one ⏎ two three');
});

test('emoji sequences and joiners inside words stay whole', () => {
  for (const text of ['👩‍👩‍👧 ok', '❤️', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', 'می‌خواهم', 'क्‍ष', 'naïve', '日本語']) {
    expect(toTerminalText(text)).toBe(text);
  }
});

test('combining marks after the eighth on one letter are shown as codes', () => {
  expect(toTerminalText(`a${'\u0301'.repeat(10)}`)).toBe(`a${'\u0301'.repeat(8)}\\u0301\\u0301`);
});

test('every character of one unit is as wide as string-width says', () => {
  for (let code = 0x20; code < 0x3000; code += 1) {
    const text = toTerminalText(String.fromCharCode(code));
    expect(displayWidth(text)).toBe(stringWidth(text));
  }
});

test('no control or direction character is ever left', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 1, max: 60 }), (text, width) => {
      expect(harmful.test(toTerminalText(text))).toBe(false);
      expect(harmful.test(shorten(text, width))).toBe(false);
      expect(wrap(text, width).some((line) => harmful.test(line))).toBe(false);
    }),
    { numRuns: 1000 },
  );
});

test('making text safe twice is the same as once', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(toTerminalText(toTerminalText(text))).toBe(toTerminalText(text));
    }),
    { numRuns: 1000 },
  );
});

test('shortened and wrapped text is never wider than asked', () => {
  fc.assert(
    fc.property(anyText, fc.integer({ min: 0, max: 60 }), (text, width) => {
      expect(displayWidth(shorten(text, width))).toBeLessThanOrEqual(width);
      for (const line of wrap(text, width)) expect(displayWidth(line)).toBeLessThanOrEqual(width);
    }),
    { numRuns: 1000 },
  );
});

test('text that fits is unchanged, longer text ends in an ellipsis', () => {
  expect(shorten('short', 5)).toBe('short');
  expect(shorten('too long', 5)).toBe('too…');
  expect(shorten('日本語日本語', 6)).toBe('日本…');
  expect(shorten('anything', 0)).toBe('');
});

test('wrapping breaks at newlines, spaces and only then inside words', () => {
  expect(wrap('one two three\n  four', 9)).toEqual(['one two', 'three', '  four']);
  expect(wrap('abcdefghij', 4)).toEqual(['abcd', 'efgh', 'ij']);
  expect(wrap('日本語', 4)).toEqual(['日本', '語']);
  expect(wrap('a\n\nb', 4)).toEqual(['a', '', 'b']);
});

test('wrapping loses no word', () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-z]{1,9}$/)),
      fc.integer({ min: 9, max: 40 }),
      (words, width) => {
        expect(wrap(words.join(' '), width).join(' ').split(' ')).toEqual(words.join(' ').split(' '));
      },
    ),
  );
});

test('shortening five megabytes has the same result as shortening their beginning', () => {
  for (const text of ['x', '\u0301', '\n', '👩‍👩‍👧']) {
    expect(shorten(text.repeat(5e6 / text.length), 80)).toBe(shorten(text.repeat(5e4), 80));
  }
});
