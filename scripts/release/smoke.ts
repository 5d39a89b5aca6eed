// Installs the packed file of a release in an empty project, as a user does, and runs each template that needs no key:
//   node scripts/release/smoke.ts release-files
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { readTarball } from './release-files.ts';

const packed = readTarball(process.argv[2] ?? 'release-files');
// A name that shells have to quote.
const folder = mkdtempSync(path.join(os.tmpdir(), 'Ä b&c '));
writeFileSync(path.join(folder, 'package.json'), '{ "private": true }');
copyFileSync(packed.file, path.join(folder, 'packed.tgz'));
// On Windows npm is a script of its shell.
execFileSync('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', './packed.tgz'], {
  cwd: folder,
  stdio: 'inherit',
  shell: process.platform === 'win32',
});
const program = path.join(folder, 'node_modules', packed.name, 'bin', 'touchstone.js');

/** Runs a command of the installed Touchstone and returns what it printed. Throws when it does not end with 0. */
function touchstone(cwd: string, ...args: string[]): string {
  const env = { ...process.env, NO_COLOR: '1' };
  return execFileSync(process.execPath, [program, ...args], { cwd, env, encoding: 'utf8' });
}

touchstone(folder, 'init', 'my-eval', '--yes');
const report = touchstone(path.join(folder, 'my-eval'), 'run', '--output', 'report.html');
if (!/^my-bot {2}\d+ %, likely/m.test(report)) throw new Error(`The first run has no score:\n${report}`);
touchstone(path.join(folder, 'my-eval'), 'show', '--output', 'report.html');
console.log(
  `${packed.name} ${packed.version} on Node.js ${process.versions.node}, ${process.platform}: ${report.split('\n')[0]}`,
);
