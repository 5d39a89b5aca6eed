import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(path.join(tmpdir(), 'import-user-file-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Imports files in a process of its own: here, the test runner imports. */
function imported(name: string, files: Readonly<Record<string, string>>): unknown {
  for (const [file, text] of Object.entries(files)) writeFileSync(path.join(folder, file), text);
  const program = `
    import { importUserFile } from ${JSON.stringify(import.meta.resolve('./user-files.ts'))};
    console.log(JSON.stringify((await importUserFile(${JSON.stringify(path.join(folder, name))})).default));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
}

const commonjs = { 'package.json': '{ "type": "commonjs" }' };

test('ES modules are imported as such in a CommonJS package, and so are their imports', () => {
  const files = {
    'a.ts': "import { b } from './b.js';\nconst a: string = `a${b}`;\nexport default a;\n",
    'b.js': "import path from 'node:path';\nexport const b = typeof path.sep;\n",
  };
  expect(imported('a.ts', { ...commonjs, ...files })).toBe('astring');
});

test('in a package without a type, ES modules are imported without a warning, and CommonJS stays', () => {
  const untyped = { 'package.json': '{}' };
  const files = {
    'c.ts': "import { d } from './d.js';\nexport default `c${d}` satisfies string;\n",
    'd.js': 'export const d = typeof require;\n',
    'plain.js': 'module.exports = typeof require;\n',
  };
  expect(imported('c.ts', { ...untyped, ...files })).toBe('cundefined');
  expect(imported('plain.js', { ...untyped, ...files })).toBe('function');
});

test('CommonJS stays CommonJS, whatever its strings contain', () => {
  const old = 'const text = `\nimport x from "y"\n`;\nmodule.exports = [typeof require, text.length];\n';
  expect(imported('old.js', { ...commonjs, 'old.js': old })).toEqual(['function', 19]);
  const typed = 'exports.a = 1 as number;\n';
  expect(imported('typed.ts', { ...commonjs, 'typed.ts': typed })).toEqual({ a: 1 });
});
