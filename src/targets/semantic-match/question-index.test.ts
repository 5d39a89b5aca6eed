import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { tokenSet } from '../../lib/token-set.ts';
import { indexQuestions, type Match } from './question-index.ts';

/** The plain definition: every row is compared, the first of the best is taken. */
function findPlainly(question: string, stored: readonly string[]): Match | undefined {
  const asked = tokenSet(question);
  let best: Match | undefined;
  for (const [row, text] of stored.entries()) {
    const tokens = tokenSet(text);
    const shared = [...tokens].filter((token) => asked.has(token)).length;
    const similarity = shared === 0 ? 0 : shared / Math.sqrt(asked.size * tokens.size);
    if (best === undefined || similarity > best.similarity) best = { row, similarity };
  }
  return best;
}

interface Table {
  /** Texts as the places of their pieces. */
  readonly stored: number[][];
  readonly asked: number[][];
  readonly matches: [row: number, similarity: number][];
}

test('finds the rows that Python finds, with the same similarity to the last bit', () => {
  const lines = readFileSync(new URL('matched-rows.jsonl', import.meta.url), 'utf8')
    .trimEnd()
    .split('\n');
  const [{ pieces }, ...tables] = lines.map((line) => JSON.parse(line)) as [{ pieces: string[] }, ...Table[]];
  const toText = (places: number[]) => places.map((place) => pieces[place]).join('');
  const differences: unknown[] = [];
  for (const { stored, asked, matches } of tables) {
    const find = indexQuestions(stored.map(toText));
    for (const [number, [row, similarity]] of matches.entries()) {
      const question = toText(asked[number] ?? []);
      const match = find(question);
      if (match?.row !== row || match.similarity !== similarity)
        differences.push({ question, match, row, similarity });
    }
  }
  expect(differences).toEqual([]);
});

const token = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('a', 'b', 'c', 'A', '(b)', '"', '?', 'ΟΔΟΣ', 'İ', 'ß') },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 4 }) },
);
const space = fc.constantFrom(' ', '\t', '\u001c', '\u0085', '\u3000', '\ufeff', '');
const text = fc.array(fc.tuple(token, space), { maxLength: 10 }).map((pairs) => pairs.flat().join(''));

test('finds the row of the plain definition on any texts, with many ties', () => {
  fc.assert(
    fc.property(fc.array(text, { maxLength: 12 }), fc.array(text, { maxLength: 4 }), (stored, asked) => {
      const find = indexQuestions(stored);
      for (const question of asked) expect(find(question)).toEqual(findPlainly(question, stored));
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['there are no rows', [], 'a', undefined],
  ['nothing is shared: the first row, similarity 0', ['x', 'y'], 'a', { row: 0, similarity: 0 }],
  ['the question has no token', ['x', ' '], ' \t', { row: 0, similarity: 0 }],
  ['the first of equals', ['x', 'a b', 'B, A!', 'a b'], 'b a', { row: 1, similarity: 1 }],
  ['a piece of punctuation is the empty token', ['how ?', 'who'], 'why !', { row: 0, similarity: 1 / 2 }],
  ['words are counted once', ['a a a b'], 'a', { row: 0, similarity: 1 / Math.sqrt(2) }],
  [
    'a name like that of an object method',
    ['constructor', '__proto__'],
    '__proto__',
    { row: 1, similarity: 1 },
  ],
])('%s', (_fact, stored, question, match) => {
  expect(indexQuestions(stored)(question)).toEqual(match);
});
