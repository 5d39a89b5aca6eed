import type { GitState } from '../../schema/git-state.ts';
import { branchOfBuild } from './branch-of-build.ts';
import { findGitFolders } from './find-git-folders.ts';
import { isWorkTreeChanged } from './is-work-tree-changed.ts';
import { readHead } from './read-head.ts';

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
