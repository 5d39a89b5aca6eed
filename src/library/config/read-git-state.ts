import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { runProgram } from '../../core/lib/programs/start.ts';
import type { GitState } from '../../core/schema/git-state.ts';

/**
 * Reads the commit, the branch and the state of the git work tree that contains a folder. Returns undefined outside a work
 * tree, before the first commit, and when git's files cannot be read. Never throws, since a run does not depend on git.
 * @param environment - The environment variables in which build services name the branch, since they check out commits.
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

/** The longest that a run waits for git. */
const timeoutMs = 1000;
const mostOutput = 4096;

/**
 * Returns whether tracked files of a work tree differ from its commit; null when git is not installed or too slow.
 * Untracked files do not count, since reports and stores are among them.
 */
async function isWorkTreeChanged(top: string): Promise<boolean | null> {
  // Takes no lock that another git process would wait for, and starts no program that the repository configures.
  const options = ['--no-optional-locks', '-c', 'core.fsmonitor=false'];
  const command = [...options, 'status', '--porcelain', '--untracked-files=no', '--no-renames'];
  const { stdout, error } = await runProgram('git', command, {
    folder: top,
    timeLimitMs: timeoutMs,
    mostOutput,
  });
  return error === null || isTooMuch(error) ? stdout.trim() !== '' : null;
}

function isTooMuch({ code }: { readonly code?: unknown }): boolean {
  return code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER';
}

/** The checked-out commit and branch. */
interface Head {
  readonly commit: string;
  /** The branch; null when a commit is checked out without one (a detached HEAD). */
  readonly branch: string | null;
}

const commitId = /^(?:[\da-f]{40}|[\da-f]{64})$/;

/**
 * Reads HEAD from git's files, which is faster than a process. Returns undefined before the first commit, and when git
 * stores its branches in another format.
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

/** The variables in which build services name the branch; the source of a pull request comes before its destination. */
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

/** Returns the branch that a build service names; null when it names none, as for a tag. */
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

/** The folders in which git stores the data of a work tree. */
interface GitFolders {
  /** The top folder of the work tree. */
  readonly top: string;
  /** The git folder of this work tree, with its HEAD. */
  readonly own: string;
  /** The git folder that all work trees share, with the branches. The same as `own` unless the work tree is linked. */
  readonly common: string;
}

/** Finds the git work tree that contains a folder, linked work trees and submodules included; undefined when there is none. */
function findGitFolders(folder: string): GitFolders | undefined {
  for (let top = path.resolve(folder); ; top = path.dirname(top)) {
    const own = gitFolderIn(top);
    if (own !== undefined) return { top, own, common: commonOf(own) };
    if (top === path.dirname(top)) return undefined;
  }
}

/** Returns the git folder of a work tree: `.git` itself, or the folder named by a file of that name. */
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

/** Reads a small file without surrounding white space; returns undefined when it cannot be read. */
function readLine(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return undefined;
  }
}
