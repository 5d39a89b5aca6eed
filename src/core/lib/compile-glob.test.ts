import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileGlob, escapeGlob, globParts } from './compile-glob.ts';
import { isReleaseTested } from '../../../test/support/is-release-tested.ts';

/** Translates a glob to a regular expression: correct for a few stars, endless for many. */
function expressionOf(pattern: string, flags: string): RegExp {
  const source = pattern.replace(/\\[\\*]|[\\^$.+?()[\]{}|*]/g, (found) => {
    if (found === '*') return '.*';
    return found.length === 2 ? found : `\\${found}`;
  });
  return new RegExp(`^${source}$`, flags);
}

// Letters whose capitals are odd: ß (two), ſ and K (of s and k), ı, İ, ǆ, Greek sigmas; half of an emoji.
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
  '\\',
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

/** Texts of few characters: a pattern of them is often in another one. */
const plain = fc.string({ unit: fc.constantFrom('a', 'A', 'b', '*'), maxLength: 8 });

test.each([true, false])('a glob means what its regular expression means; case ignored: %s', (ignoreCase) => {
  const flags = ignoreCase ? 'is' : 's';
  for (const each of [texts, plain]) {
    fc.assert(
      fc.property(each, each, (pattern, text) => {
        return compileGlob(pattern, { ignoreCase })(text) === expressionOf(pattern, flags).test(text);
      }),
      { numRuns: 3000 },
    );
  }
});

test.skipIf(!isReleaseTested)(
  'every single character has the same capital as in a regular expression (needs TOUCHSTONE_TEST_ALL=1)',
  () => {
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
  },
);

test('an escaped text matches itself and no other text', () => {
  fc.assert(
    fc.property(texts, texts, (text, other) => {
      const matches = compileGlob(escapeGlob(text), { ignoreCase: false });
      expect([matches(text), matches(other)]).toEqual([true, text === other]);
      expect(globParts(escapeGlob(text))).toEqual([text]);
    }),
    { numRuns: 2000 },
  );
});

test('a backslash stands for itself but before a star or a backslash', () => {
  const matches = (pattern: string, text: string) => compileGlob(pattern, { ignoreCase: false })(text);
  expect(matches(String.raw`C:\temp*`, String.raw`C:\temp\a`)).toBe(true);
  expect(matches(String.raw`5\*3`, '5*3')).toBe(true);
  expect(matches(String.raw`5\*3`, '5113')).toBe(false);
  expect(matches(String.raw`a\\*`, String.raw`a\b`)).toBe(true);
});

test('a glob of many stars that do not match is decided quickly', () => {
  const isIt = compileGlob(`${'*a'.repeat(45)}*b`, { ignoreCase: true });
  expect(isIt('a'.repeat(5000))).toBe(false);
  expect(isIt(`${'A'.repeat(5000)}B`)).toBe(true);
});
