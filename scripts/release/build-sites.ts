// Builds the whole site: the last release at its root, the main branch in next/, and the last release of each minor version in v0.2/, v0.3/, …
// Each is built by its own scripts in a work tree of its own.
//   node scripts/release/build-sites.ts FOLDER BASE ADDRESS [BRANCH]
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { planSites } from './site-versions.ts';

const root = path.resolve(import.meta.dirname, '../..');
const [folder, base, address, branch = 'origin/main'] = process.argv.slice(2);
if (folder === undefined || base === undefined || address === undefined)
  throw new Error(
    'usage: build-sites.ts FOLDER BASE ADDRESS [BRANCH], such as site-files /touchstone/ https://owner.github.io/touchstone/',
  );
const to = path.resolve(folder);

const tags = execFileSync('git', ['tag', '--list', 'v*'], { cwd: root, encoding: 'utf8' }).split('\n');
const sites = planSites(tags, branch);
const versions = JSON.stringify(
  sites.map(({ name, folder: at }) => ({ text: name, link: `${address}${at}` })),
);
for (const [ref, some = []] of Map.groupBy(sites, (site) => site.ref)) {
  const tree = mkdtempSync(path.join(tmpdir(), 'touchstone-site-'));
  start('git', ['worktree', 'add', '--detach', tree, ref], root);
  try {
    start('npm', ['ci', '--ignore-scripts'], tree);
    start('npm', ['run', 'build'], tree);
    start('npm', ['ci', '--prefix', 'site', '--ignore-scripts'], tree);
    for (const { folder: at, name } of some) {
      const places = ['--base', `${base}${at}`, '--to', path.join(to, at), '--address', `${address}${at}`];
      start('npm', ['run', 'site', '--', ...places, '--version', name, '--versions', versions], tree);
    }
  } finally {
    start('git', ['worktree', 'remove', '--force', tree], root);
    rmSync(tree, { recursive: true, force: true });
  }
}

function start(program: string, words: readonly string[], cwd: string): void {
  execFileSync(program, words, { cwd, stdio: 'inherit' });
}
