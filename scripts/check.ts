// Runs every `check:…` script of package.json, also after one has failed, and lists those that failed.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};
const checks = Object.keys(scripts).filter((name) => name.startsWith('check:'));
const failed = checks.filter(
  (name) => spawnSync('npm', ['run', '--silent', name], { cwd: root, stdio: 'inherit' }).status !== 0,
);
if (failed.length > 0) {
  console.error(`\n✗ ${failed.length} of ${checks.length} checks failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
