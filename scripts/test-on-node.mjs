// `npm run test:on-node -- 26 [FILE…]`: the tests on another Node.js, which npm installs beside the temporary files.
import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { nodePackage } from '../bin/find-node.js';
import { npmProgram, runInRoot, setUp } from './set-up.mjs';

const [version = '26', ...args] = process.argv.slice(2);
const name = nodePackage();
if (name === undefined || !/^\d+(?:\.\d+){0,2}$/.test(version)) {
  process.stderr.write('Usage: npm run test:on-node -- 26 [FILE…], on a system for which npm has Node.js\n');
  process.exit(4);
}
setUp();
const folder = path.join(tmpdir(), `touchstone-node-${version}`);
mkdirSync(folder, { recursive: true });
writeFileSync(path.join(folder, 'package.json'), '{ "private": true }');
const [npm, ...before] = npmProgram();
const install = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', folder];
process.exitCode = runInRoot(npm, [...before, ...install, `${name}@${version}`]);
if (process.exitCode === 0)
  process.exitCode = runInRoot(
    path.join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node'),
    ['node_modules/vitest/vitest.mjs', 'run', ...args],
  );
