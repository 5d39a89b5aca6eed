import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(path.join(tmpdir(), 'import-fault-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Files that are imported in a process of their own: the test runner's import is not Node's. */
const files = {
  'syntax.ts': 'const a: number = 1;\nexport default {\n  a: 1\n  b: 2,\n};\n',
  'syntax.mjs': 'export default {\n  a: 1\n  b: 2,\n};\n',
  'enum.ts': '\nenum A { B }\nexport default {};\n',
  'throws.ts': 'function f() {\n  throw new Error("no");\n}\nf();\n',
  'inner.mjs': '\nnull.x;\n',
  'outer.mjs': 'import "./inner.mjs";\n',
  'no-file.ts': '\nimport { a } from "./nothing.ts";\n',
  'no-package.ts': 'import "@no/such-package";\n',
  'names.ts': 'export const a = 1;\n',
  'no-name.ts': 'import { b } from "./names.ts";\n',
  'thrower.mjs': 'export function fail() {\n  throw new Error("no");\n}\n',
  'calls.mjs': '\nimport { fail } from "./thrower.mjs";\nfail();\n',
  'text.mjs': 'throw "no";\n',
};
for (const [name, source] of Object.entries(files)) writeFileSync(path.join(folder, name), source);

const program = `
  import { findImportFault } from ${JSON.stringify(new URL('./find-import-fault.ts', import.meta.url).href)};
  const places = {};
  for (const name of ${JSON.stringify(Object.keys(files))}) {
    const file = ${JSON.stringify(folder)} + '/' + name;
    const error = await import(file).then(() => undefined, (thrown) => thrown);
    places[name] = await findImportFault(error, file);
  }
  process.stdout.write(JSON.stringify(places));
`;
const places = JSON.parse(
  execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }),
);

test.each([
  ['syntax.ts', 'syntax.ts', 4, 3],
  ['syntax.mjs', 'syntax.mjs', 3, 3],
  ['enum.ts', 'enum.ts', 2, 1],
  ['throws.ts', 'throws.ts', 2, 9],
  ['calls.mjs', 'calls.mjs', 3, 1],
  ['outer.mjs', 'inner.mjs', 2, 6],
  ['no-file.ts', 'no-file.ts', 2, 19],
  ['no-package.ts', 'no-package.ts', 1, 8],
  ['no-name.ts', 'no-name.ts', 1, 10],
])('the error in %s is in %s, line %i, column %i', (name, file, line, column) => {
  expect(places[name]).toEqual({ file: path.join(folder, file), line, column });
});

test('a thrown value that is not an error has no place', () => {
  expect(places['text.mjs']).toBeUndefined();
});
