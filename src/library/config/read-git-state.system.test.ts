import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { gitStateSchema } from '../../core/schema/git-state.ts';
import { branchOfBuild, readGitState } from './read-git-state.ts';

const parent = await realpath(await mkdtemp(path.join(tmpdir(), 'touchstone-git-')));
afterAll(async () => {
  await rm(parent, { recursive: true, force: true });
});

const identity = [
  '-c',
  'user.name=Tester',
  '-c',
  'user.email=tester@example.org',
  '-c',
  'commit.gpgsign=false',
];
function git(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
}

async function repository(name: string): Promise<string> {
  const folder = path.join(parent, name);
  await mkdir(path.join(folder, 'evaluation'), { recursive: true });
  git(folder, 'init', '--quiet', '--initial-branch', 'main');
  await writeFile(path.join(folder, 'bot.txt'), 'one');
  return folder;
}

async function committed(name: string): Promise<{ folder: string; commit: string }> {
  const folder = await repository(name);
  git(folder, 'add', '.');
  git(folder, 'commit', '--quiet', '--message', 'One');
  return { folder, commit: git(folder, 'rev-parse', 'HEAD') };
}

test('a folder in a work tree has its commit and branch, and is clean until a tracked file changes', async () => {
  const { folder, commit } = await committed('plain');
  await writeFile(path.join(folder, 'report.md'), 'not tracked');
  const state = await readGitState(path.join(folder, 'evaluation'), {});
  expect(state).toEqual({ commit, branch: 'main', dirty: false });
  expect(gitStateSchema.parse(state)).toEqual(state);
  await writeFile(path.join(folder, 'bot.txt'), 'two');
  expect(await readGitState(folder, {})).toMatchObject({ commit, dirty: true });
});

test('a work tree with more changes than are read counts as changed', async () => {
  const { folder } = await committed('many');
  const names = Array.from({ length: 120 }, (_, index) => `${'long name '.repeat(6)}${index}`);
  for (const name of names) await writeFile(path.join(folder, name), '');
  git(folder, 'add', '.');
  expect(await readGitState(folder, {})).toMatchObject({ dirty: true });
});

test('a branch is found in packed refs, and under any name', async () => {
  const { folder, commit } = await committed('packed');
  git(folder, 'checkout', '--quiet', '-b', 'feature/größer-10%');
  git(folder, 'branch', 'greater-10%');
  git(folder, 'pack-refs', '--all');
  expect(await readGitState(folder, {})).toEqual({ commit, branch: 'feature/größer-10%', dirty: false });
});

test('a linked work tree and a submodule have their own commit and branch', async () => {
  const { folder, commit } = await committed('linked');
  const tree = path.join(parent, 'second tree');
  git(folder, 'worktree', 'add', '--quiet', '-b', 'second', tree);
  expect(await readGitState(tree, {})).toEqual({ commit, branch: 'second', dirty: false });
  const outer = await committed('outer');
  git(outer.folder, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', folder, 'inner');
  expect(await readGitState(path.join(outer.folder, 'inner'), {})).toMatchObject({ commit, branch: 'main' });
});

test('a detached HEAD has the branch that the build names, or none', async () => {
  const { folder, commit } = await committed('detached');
  git(folder, 'checkout', '--quiet', '--detach');
  expect(await readGitState(folder, {})).toEqual({ commit, branch: null, dirty: false });
  const build = { GITHUB_REF_TYPE: 'branch', GITHUB_REF_NAME: 'nightly' };
  expect(await readGitState(folder, build)).toMatchObject({ branch: 'nightly' });
  git(folder, 'checkout', '--quiet', 'main');
  expect(await readGitState(folder, build)).toMatchObject({ branch: 'main' });
});

test.each([
  [{ GITHUB_REF_TYPE: 'branch', GITHUB_REF_NAME: '12/merge', GITHUB_HEAD_REF: 'fix' }, 'fix'],
  [{ GITHUB_REF_TYPE: 'branch', GITHUB_REF_NAME: 'main', GITHUB_HEAD_REF: '' }, 'main'],
  [{ GITHUB_REF_TYPE: 'tag', GITHUB_REF_NAME: 'v1' }, null],
  [{ CI_COMMIT_REF_NAME: 'main' }, 'main'],
  [{ CI_COMMIT_REF_NAME: 'v1', CI_COMMIT_TAG: 'v1' }, null],
  [{ GIT_BRANCH: 'origin/feature/x' }, 'feature/x'],
  [{ BUILD_SOURCEBRANCH: 'refs/heads/feature/x' }, 'feature/x'],
  [{ BUILD_SOURCEBRANCH: 'refs/tags/v1' }, null],
  [{}, null],
])('a build with %j is of branch %s', (environment, branch) => {
  expect(branchOfBuild(environment)).toBe(branch);
});

test('there is no state before the first commit, outside a work tree, or with damaged files', async () => {
  expect(await readGitState(await repository('unborn'), {})).toBeUndefined();
  const outside = path.join(parent, 'outside');
  await mkdir(path.join(outside, 'deep'), { recursive: true });
  expect(await readGitState(path.join(outside, 'deep'), {})).toBeUndefined();
  await writeFile(path.join(outside, '.git'), 'gitdir: ../nowhere\n');
  expect(await readGitState(outside, {})).toBeUndefined();
  await writeFile(path.join(outside, '.git'), 'nothing');
  expect(await readGitState(outside, {})).toBeUndefined();
  const { folder } = await committed('odd');
  await writeFile(path.join(folder, '.git', 'HEAD'), 'ref: refs/../../../outside/.git\n');
  expect(await readGitState(folder, {})).toBeUndefined();
});

test('without git installed, the commit is known, but not whether files have changed', async () => {
  const { folder, commit } = await committed('no program');
  const { PATH } = process.env;
  try {
    process.env['PATH'] = '';
    expect(await readGitState(folder, {})).toEqual({ commit, branch: 'main', dirty: null });
  } finally {
    process.env['PATH'] = PATH;
  }
});
