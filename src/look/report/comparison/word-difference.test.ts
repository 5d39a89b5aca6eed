import fc from 'fast-check';
import { expect, test } from 'vitest';
import { diffSides, diffTokens, diffWords } from './word-difference.ts';

function wordsOf(pieces: ReturnType<typeof diffWords>, without: 'removed' | 'added'): string {
  return pieces.flatMap(({ kind, text }) => (kind === without ? [] : [text])).join(' ');
}

test('removed and added words are found between the shared ones', () => {
  expect(
    diffWords('The rent is 500 euros a month.', 'The rent is 450 euros\n a month, heating included.'),
  ).toEqual([
    { kind: 'same', text: 'The rent is' },
    { kind: 'removed', text: '500' },
    { kind: 'added', text: '450' },
    { kind: 'same', text: 'euros a' },
    { kind: 'removed', text: 'month.' },
    { kind: 'added', text: 'month, heating included.' },
  ]);
  expect(diffWords('', 'new words')).toEqual([{ kind: 'added', text: 'new words' }]);
  expect(diffWords(' same  text ', 'same text')).toEqual([{ kind: 'same', text: 'same text' }]);
});

test('the pieces restore both texts, and share as many words as the longest common subsequence', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 24 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const pieces = diffWords(before.join(' '), after.join('\n'));
      expect(wordsOf(pieces, 'added')).toBe(before.join(' '));
      expect(wordsOf(pieces, 'removed')).toBe(after.join(' '));
      const shared = pieces.flatMap(({ kind, text: words }) => (kind === 'same' ? words.split(' ') : []));
      expect(shared.length).toBe(longestCommon(before, after));
    }),
  );
});

function longestCommon(before: readonly string[], after: readonly string[]): number {
  const [first, ...rest] = before;
  if (first === undefined) return 0;
  const at = after.indexOf(first);
  const without = longestCommonMemo(rest, after);
  return at === -1 ? without : Math.max(without, 1 + longestCommonMemo(rest, after.slice(at + 1)));
}

const known = new Map<string, number>();

function longestCommonMemo(before: readonly string[], after: readonly string[]): number {
  const key = `${before.join('')} ${after.join('')}`;
  const length = known.get(key) ?? longestCommon(before, after);
  known.set(key, length);
  return length;
}

test('very long texts count as replaced between their shared beginning and end', () => {
  const long = (word: string) => Array.from({ length: 2000 }, (_, index) => `${word}${index}`).join(' ');
  const pieces = diffWords(`begin ${long('x')} end`, `begin ${long('y')} end`);
  expect(pieces.map(({ kind }) => kind)).toEqual(['same', 'removed', 'added', 'same']);
});

test('side by side, each text keeps its own words and white space', () => {
  expect(diffSides('Pay 5 €\n\nby May.', 'Pay 7 €\n by  May.')).toEqual({
    first: [
      { kind: 'same', text: 'Pay' },
      { kind: 'same', text: ' ' },
      { kind: 'removed', text: '5' },
      { kind: 'same', text: ' €\n\nby May.' },
    ],
    second: [
      { kind: 'same', text: 'Pay' },
      { kind: 'same', text: ' ' },
      { kind: 'added', text: '7' },
      { kind: 'same', text: ' €\n by  May.' },
    ],
  });
  const text = fc.array(fc.constantFrom('a', 'b', 'c ', '\n', ' '), { maxLength: 24 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      const [one, other] = [before.join(' '), after.join('')];
      const { first, second } = diffSides(one, other);
      expect(first.map(({ text }) => text).join('')).toBe(one.trimEnd());
      expect(second.map(({ text }) => text).join('')).toBe(other.trimEnd());
    }),
  );
});

test('a line of compact JSON differs where it was edited, and not as a whole', () => {
  const before = '{"question":"Which fee?","keywords":["10 euros"]}';
  const pieces = diffTokens(before, before.replace('10', '12'));
  expect(pieces).toEqual([
    { kind: 'same', text: '{"question":"Which fee?","keywords":["' },
    { kind: 'removed', text: '10' },
    { kind: 'added', text: '12' },
    { kind: 'same', text: ' euros"]}' },
  ]);
});
