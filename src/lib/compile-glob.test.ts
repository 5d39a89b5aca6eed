import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileGlob } from './compile-glob.ts';

/** Translates a glob to a regular expression: correct for a few stars, endless for many. */
function expressionOf(pattern: string, flags: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.+?()[\]{}|]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`, flags);
}

// Letters whose capitals are odd: ß (two), ſ and K (those of s and k), ı, İ, ǆ, Greek sigmas; half of an emoji.
const alphabet = [
  'a',
  'A',
  'b',
  'B',
  's',
  'S',
  'k',
  'K',
  '.',
  '*',
  '\n',
  ' ',
  'ß',
  'ẞ',
  'ſ',
  '\u212a',
  'ı',
  'İ',
  'ǆ',
  'ǅ',
  'σ',
  'ς',
  '🙂',
  '\ud83d',
];
const texts = fc.array(fc.constantFrom(...alphabet), { maxLength: 12 }).map((parts) => parts.join(''));

test.each([true, false])('a glob means what its regular expression means; case ignored: %s', (ignoreCase) => {
  const flags = ignoreCase ? 'is' : 's';
  fc.assert(
    fc.property(texts, texts, (pattern, text) => {
      expect(compileGlob(pattern, { ignoreCase })(text)).toBe(expressionOf(pattern, flags).test(text));
    }),
    { numRuns: 20_000 },
  );
});

test('every single character has the same capital as in a regular expression', () => {
  const odd: string[] = [];
  for (let code = 0; code <= 0xffff; code++) {
    const unit = String.fromCharCode(code);
    for (const other of [unit.toUpperCase(), unit.toLowerCase()]) {
      if (other.length !== 1 || unit === '*') continue;
      const isSame = compileGlob(unit, { ignoreCase: true })(other);
      if (isSame !== expressionOf(unit, 'is').test(other)) odd.push(unit);
    }
  }
  expect(odd).toEqual([]);
});

test('a glob of many stars that do not match is decided quickly', () => {
  const isIt = compileGlob(`${'*a'.repeat(45)}*b`, { ignoreCase: true });
  expect(isIt('a'.repeat(5000))).toBe(false);
  expect(isIt(`${'A'.repeat(5000)}B`)).toBe(true);
});
