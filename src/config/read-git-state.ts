import { execFile } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import type { GitState } from '../schema/run.ts';

/**
 * What is checked out in the work tree that a folder is in; undefined outside of one, before its first commit, and where
 * git's files cannot be read. Never throws: a run does not depend on git.
 * @param environment - Where builds say which branch they are of, since they check out commits.
 */
export async function readGitState(
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<GitState | undefined> {
  try {
    const folders = findGitFolders(folder);
    if (folders === undefined) return undefined;
    const head = readHead(folders);
    if (head === undefined) return undefined;
    const branch = head.branch ?? branchOfBuild(environment);
    return { commit: head.commit, branch, dirty: await isWorkTreeChanged(folders.top) };
  } catch {
    return undefined;
  }
}

/** Longer than that a run does not wait. */
const timeoutMs = 1000;
const mostOutput = 4096;

/**
 * Whether tracked files of a work tree differ from its commit; null when git is not there, or not done in time. Files that
 * are not tracked do not count: reports and stores are such.
 */
async function isWorkTreeChanged(top: string): Promise<boolean | null> {
  // No lock is taken that another git would have to wait for, and no program is started that the repository names.
  const options = ['--no-optional-locks', '-c', 'core.fsmonitor=false'];
  const command = [...options, 'status', '--porcelain', '--untracked-files=no', '--no-renames'];
  return await new Promise((resolve) => {
    const settings = { cwd: top, timeout: timeoutMs, maxBuffer: mostOutput, windowsHide: true };
    execFile('git', command, settings, (error, stdout) => {
      if (error === null || isTooMuch(error)) resolve(stdout.trim() !== '');
      else resolve(null);
    });
  });
}

function isTooMuch({ code }: { readonly code?: unknown }): boolean {
  return code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER';
}

/** What is checked out. */
interface Head {
  readonly commit: string;
  /** null when a commit is checked out by itself. */
  readonly branch: string | null;
}

const commitId = /^(?:[\da-f]{40}|[\da-f]{64})$/;

/**
 * Reads what is checked out from the files of git, which costs less than a process. Undefined before the first commit,
 * and where git keeps its branches in another form.
 */
function readHead({ own, common }: GitFolders): Head | undefined {
  const head = readLine(path.join(own, 'HEAD')) ?? '';
  if (commitId.test(head)) return { commit: head, branch: null };
  const [, ref] = /^ref: (refs\/[^\0]+)$/.exec(head) ?? [];
  if (ref === undefined || ref.split('/').includes('..')) return undefined;
  const commit = readLine(path.join(common, ref)) ?? findPacked(common, ref) ?? '';
  return commitId.test(commit) ? { commit, branch: ref.replace(/^refs\/heads\//, '') } : undefined;
}

function findPacked(common: string, ref: string): string | undefined {
  const packed = readLine(path.join(common, 'packed-refs')) ?? '';
  const line = packed.split(/\r?\n/).find((each) => each.endsWith(` ${ref}`));
  return line?.slice(0, line.indexOf(' '));
}

/** Where build services say which branch they build; that of a pull request before the one it is to be merged into. */
const variables = [
  'GITHUB_HEAD_REF',
  'CI_MERGE_REQUEST_SOURCE_BRANCH_NAME',
  'CI_COMMIT_BRANCH',
  'BITBUCKET_BRANCH',
  'BUILDKITE_BRANCH',
  'CIRCLE_BRANCH',
  'TRAVIS_PULL_REQUEST_BRANCH',
  'TRAVIS_BRANCH',
  'SYSTEM_PULLREQUEST_SOURCEBRANCH',
  'BUILD_SOURCEBRANCH',
  'CHANGE_BRANCH',
  'BRANCH_NAME',
  'GIT_BRANCH',
];

/** The branch that a build service says it builds; null when it names none, as for a tag. */
export function branchOfBuild(environment: Readonly<Record<string, string | undefined>>): string | null {
  const { GITHUB_REF_NAME, GITHUB_REF_TYPE, CI_COMMIT_REF_NAME, CI_COMMIT_TAG } = environment;
  const named = [
    ...variables.map((name) => environment[name]),
    GITHUB_REF_TYPE === 'branch' ? GITHUB_REF_NAME : undefined,
    CI_COMMIT_TAG === undefined ? CI_COMMIT_REF_NAME : undefined,
  ];
  const branch = named.find(
    (name) => name !== undefined && name.trim() !== '' && !name.startsWith('refs/tags/'),
  );
  return branch?.trim().replace(/^(?:refs\/heads\/|origin\/)/, '') ?? null;
}

/** Where git keeps what it knows of a work tree. */
interface GitFolders {
  /** The top of the work tree. */
  readonly top: string;
  /** Of this work tree alone: what is checked out. */
  readonly own: string;
  /** Of all work trees of a repository: its branches. The same as `own` unless it is a linked work tree. */
  readonly common: string;
}

/** The git work tree that a folder is in; undefined when there is none. Linked work trees and submodules are found too. */
function findGitFolders(folder: string): GitFolders | undefined {
  for (let top = path.resolve(folder); ; top = path.dirname(top)) {
    const own = gitFolderIn(top);
    if (own !== undefined) return { top, own, common: commonOf(own) };
    if (top === path.dirname(top)) return undefined;
  }
}

/** `.git` is the folder itself, or a file that says where it is. */
function gitFolderIn(top: string): string | undefined {
  const place = path.join(top, '.git');
  const found = statSync(place, { throwIfNoEntry: false });
  if (found === undefined || found.isDirectory()) return found && place;
  const [, named] = /^gitdir: (.+?)\r?\n*$/.exec(readFileSync(place, 'utf8')) ?? [];
  return named === undefined ? undefined : path.resolve(top, named);
}

function commonOf(own: string): string {
  const named = readLine(path.join(own, 'commondir'));
  return named === undefined ? own : path.resolve(own, named);
}

/** The text of a small file without the white space around it; undefined when there is none. */
function readLine(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}
