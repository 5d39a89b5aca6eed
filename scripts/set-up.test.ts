import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');
const file = './set-up.mjs';
const { npmProgram } = (await import(file)) as {
  npmProgram: (env: Readonly<Record<string, string>>, platform: string, node: string) => string[];
};

test('npm is a program where the system runs it, and on Windows, where it is a script for a shell, the file of npm by Node.js', () => {
  expect(npmProgram({}, 'linux', '/usr/bin/node')).toEqual(['npm']);
  expect(npmProgram({ npm_execpath: '/npm/bin/npm-cli.js' }, 'linux', '/usr/bin/node')).toEqual([
    '/usr/bin/node',
    '/npm/bin/npm-cli.js',
  ]);
  const node = String.raw`C:\Program Files\nodejs\node.exe`;
  const beside = String.raw`C:\Program Files\nodejs\node_modules\npm\bin\npm-cli.js`;
  expect(npmProgram({}, 'win32', node)).toEqual([node, beside]);
  expect(npmProgram({ npm_execpath: 'D:\\npm-cli.js' }, 'win32', node)).toEqual([node, 'D:\\npm-cli.js']);
});

test('packages are installed by the file of npm without a shell, in a folder whose name a shell would read', () => {
  using made = mkdtempDisposableSync(path.join(tmpdir(), 'touchstone set-up Ä b&c $(d) '));
  const folder = made.path;
  for (const name of ['bin', 'scripts', 'node_modules']) mkdirSync(path.join(folder, name));
  for (const name of ['bin/find-node.js', 'scripts/set-up.mjs', 'package.json'])
    copyFileSync(path.join(root, name), path.join(folder, name));
  writeFileSync(path.join(folder, 'package-lock.json'), '{}');
  // A file that no system starts by itself, and which ends the installation.
  const npm = path.join(folder, 'npm-cli.mjs');
  const writes = `import { writeFileSync } from 'node:fs';
    writeFileSync('started.json', JSON.stringify({ by: process.execPath, args: process.argv.slice(1) }));
    process.exit(1);`;
  writeFileSync(npm, writes, { mode: 0o600 });
  const begin = "const { setUp } = await import('./scripts/set-up.mjs'); setUp();";
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', begin], {
    cwd: folder,
    encoding: 'utf8',
    // No program but the one that is named can be found.
    env: { npm_execpath: npm, PATH: folder },
  });
  expect(stderr).toContain(`✗ ${process.execPath} ${npm} ci --ignore-scripts`);
  expect(JSON.parse(readFileSync(path.join(folder, 'started.json'), 'utf8'))).toEqual({
    by: process.execPath,
    args: [npm, 'ci', '--ignore-scripts', '--loglevel=error', '--no-audit', '--no-fund'],
  });
});
