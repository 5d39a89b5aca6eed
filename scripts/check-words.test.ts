import { expect, test } from 'vitest';
import { findBannedWords, findBannedWordsInPage } from './check-words.ts';

test('a banned word is reported with its line and its replacement', () => {
  const text =
    '// Plain words.\n// Shows whoever asks,\n// in the stead of others. Goods and steady hands may stay.';
  expect(findBannedWords('src/a.ts', text)).toEqual([
    'src/a.ts:2: "whoever" is not plain; write: name who it is: the caller, the process, the user',
    'src/a.ts:3: "stead" is not plain; write: in place of',
  ]);
});

test('a phrase is reported in messages, comments and pages, with what a colleague would say', () => {
  const replacement = 'write: by default, without it';
  expect(findBannedWords('src/a.ts', "const help = '8 when left out';")).toEqual([
    `src/a.ts:1: "when left out" is not plain; ${replacement}`,
  ]);
  expect(findBannedWordsInPage('docs/a.md', '| `n` | 8 when left out |\nFor those who ask.')).toEqual([
    `docs/a.md:1: "when left out" is not plain; ${replacement}`,
    'docs/a.md:2: "those who" is not plain; write: people who, users who',
  ]);
  expect(findBannedWords('src/a.ts', "const help = '8 by default; nothing is left out.';")).toEqual([]);
  expect(findBannedWords('src/a.ts', '// It is that of the run.')).toEqual([
    expect.stringContaining('src/a.ts:1: "that of" is not plain'),
  ]);
});

test('a word that is banned in comments may stand in texts', () => {
  expect(findBannedWords('src/a.ts', "const answer = 'Nobody told me.';")).toEqual([]);
  expect(findBannedWords('src/a.ts', ' * Nobody comes here.')).toEqual([
    'src/a.ts:1: "Nobody" is not plain; write: no process, no user, nothing',
  ]);
});

test('a doc comment without a head is reported, once for its first line', () => {
  const found = 'a doc comment begins with "What"; begin with a verb (a function) or a noun (a type)';
  expect(findBannedWords('src/a.ts', '/** What a run needs. */')).toEqual([`src/a.ts:1: ${found}`]);
  expect(findBannedWords('src/a.ts', '/**\n * What a run needs:\n * What else?\n */')).toEqual([
    `src/a.ts:2: ${found}`,
  ]);
  expect(findBannedWords('src/a.ts', '// What comes first is read first.')).toEqual([]);
});

test('a page may have a banned word in code and in the target of a link, but not in its prose', () => {
  const page = [
    'A run goes on, [Told](told.md) by `whoever`.',
    '```sh',
    'echo Nobody # anew',
    '```',
    '| the label `told-user` | scored anew |',
  ].join('\n');
  expect(findBannedWordsInPage('docs/a.md', page)).toEqual([
    'docs/a.md:1: "goes on" is not plain; write: continues',
    'docs/a.md:1: "Told" is not plain; write: informed, called with, passed, reported, recognized',
    'docs/a.md:5: "anew" is not plain; write: again',
  ]);
});
