import { expect, test } from 'vitest';
import { findCodeWordsInPage, findCodeWordsInTexts } from './find-code-words.ts';

test('texts for people say question and attempt, where records, options and names say case and trial', () => {
  const lines = [
    "const help = parsed('<n>', 'only the first n cases');",
    "const flag = repeated('<id>', 'with --case: one question in full');",
    "const key = { case: 'case', sql: 'SELECT id FROM cases', url: '/runs/latest/cases' };",
    'const said = `${count} trials of ${cases} questions, not \\`trial\\``;',
    "const idiom = 'the exact text, case-sensitive, in lower case; in any case';",
    "const counted = formatPlural(3, 'case');",
    'const title = <Column title="Cases">No trial of it</Column>;',
  ];
  expect(findCodeWordsInTexts('a.tsx', lines.join('\n'))).toEqual([
    'a.tsx:1: "cases" is not plain; write: questions',
    'a.tsx:4: "trials" is not plain; write: attempts',
    'a.tsx:6: "case" is not plain; write: question',
    'a.tsx:7: "Cases" is not plain; write: questions',
    'a.tsx:7: "trial" is not plain; write: attempt',
  ]);
});

test('pages say question and attempt, except in code and in idioms', () => {
  const page = 'A case is `--case`.\n\n```sh\nshow --case trial\n```\nEach trial counts, in the worst case.';
  expect(findCodeWordsInPage('a.md', page)).toEqual([
    'a.md:1: "case" is not plain; write: question',
    'a.md:6: "trial" is not plain; write: attempt',
  ]);
});
