import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { hashModule } from './user-files.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'touchstone-hash-module-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, text: string): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  return file;
}

test('the hash covers a file and all its imports by relative paths, including cycles and data files', () => {
  const main = write(
    'main.ts',
    "import { a } from './inner/a.ts'; import data from './data.json'; import x from 'zod';",
  );
  write('inner/a.ts', "import '../main.ts'; export const a = await import('../late.mjs');");
  write('late.mjs', 'export const word = 1;');
  write('data.json', '{"from": "./other.ts"}');
  write('other.ts', 'unused');
  const before = hashModule(main);
  expect(hashModule(main)).toBe(before);
  const changes = ['late.mjs', 'data.json', 'inner/a.ts'].map((name) => {
    write(name, "import '../main.ts'; import('../late.mjs'); // changed");
    return hashModule(main);
  });
  expect(new Set([before, ...changes]).size).toBe(4);
  write('other.ts', 'still unused');
  expect(hashModule(main)).toBe(changes.at(-1));
});

test('a missing file has the hash of an empty text', () => {
  expect(hashModule(path.join(folder, 'missing.ts'))).toMatch(/^[0-9a-f]{32}$/);
});
