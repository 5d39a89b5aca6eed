import fc from 'fast-check';
import { expect, test } from 'vitest';
import { quoteForShell } from './quote-for-shell.ts';

test.each([
  ['golden.jsonl', 'golden.jsonl', 'golden.jsonl'],
  ['C:\\evals\\a.yaml', `'C:\\evals\\a.yaml'`, 'C:\\evals\\a.yaml'],
  ['Ä b&c', `'Ä b&c'`, '"Ä b&c"'],
  ['id=q1|q3', `'id=q1|q3'`, '"id=q1|q3"'],
  ["it's", `'it'\\''s'`, `"it's"`],
  ['50%', '50%', "'50%'"],
  ["it's $5", `'it'\\''s $5'`, "'it''s $5'"],
  ['C:\\a folder\\', `'C:\\a folder\\'`, "'C:\\a folder\\'"],
  ['--limit', '--limit', '--limit'],
  ['-a.b', '-a.b', '"-a.b"'],
  ['', "''", '""'],
])('%s is pasted as %s, and on Windows as %s', (word, posix, windows) => {
  expect([quoteForShell(word, 'linux'), quoteForShell(word, 'win32')]).toEqual([posix, windows]);
});

test('on Windows, what is in double quotes has nothing that the command prompt or PowerShell would replace', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (word) => {
      const quoted = quoteForShell(word, 'win32');
      if (quoted.startsWith('"')) {
        expect(quoted.slice(1, -1)).toBe(word);
        expect(quoted).not.toMatch(/[$%!^`\n]|\\"$/);
      } else if (quoted.startsWith("'")) expect(quoted.slice(1, -1).replaceAll("''", "'")).toBe(word);
      else expect(quoted).toBe(word);
    }),
  );
});
