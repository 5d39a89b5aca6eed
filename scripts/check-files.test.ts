import { expect, test } from 'vitest';
import { checkFiles } from './check-files.ts';
import { checkTree } from './write-tree.ts';

const check = (files: Record<string, string>) => checkTree(checkFiles, files);

const lines = (count: number) => '//\n'.repeat(count);

test('a small file that one other file of its part uses belongs into that file', () => {
  const files = { 'src/core/lib/a.ts': "import { b } from './b.ts';\n", 'src/core/lib/b.ts': lines(40) };
  expect(check(files)).toEqual([
    'src/core/lib/b.ts: 40 lines that only src/core/lib/a.ts uses; make it a part of that file',
  ]);
});

test.each([
  ['two files use it', { 'src/core/lib/c.ts': "import { b } from './b.ts';\n" }],
  ['it is a concept of its own', { 'src/core/lib/b.ts': lines(120) }],
  ['together they would be too long', { 'src/core/lib/a.ts': `import { b } from './b.ts';\n${lines(270)}` }],
  ['it is loaded only when it is needed', { 'src/core/lib/a.ts': "const { b } = await import('./b.ts');\n" }],
])('a small file stays where %s', (_reason, files: Record<string, string>) => {
  const usual = { 'src/core/lib/a.ts': "import { b } from './b.ts';\n", 'src/core/lib/b.ts': lines(40) };
  expect(check({ ...usual, ...files })).toEqual([]);
});

test('a registered file and one of another part stay', () => {
  const files = {
    'src/evaluate/metrics/registry.ts': "export { a } from './a.ts';\n",
    'src/evaluate/metrics/a.ts': "import { b } from '../lib/b.ts';\n",
    'src/core/lib/b.ts': lines(10),
  };
  expect(check(files)).toEqual([]);
});

test('a folder with more than 25 files of its own is too full; tests do not count', () => {
  const names = Array.from({ length: 26 }, (_, index) => [`src/core/lib/f${index}.ts`, ''] as const);
  const tests = names.map(([name]) => [name.replace('.ts', '.test.ts'), ''] as const);
  expect(check(Object.fromEntries([...names, ...tests]))).toEqual([
    'src/core/lib: 26 files of its own; at most 25, then folders',
  ]);
  expect(check(Object.fromEntries([...names.slice(1), ...tests]))).toEqual([]);
});
