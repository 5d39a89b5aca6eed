import type { GitState } from '../../schema/git-state.ts';

/** A commit by as much of its id as people use. */
export function shortCommit({ commit }: Pick<GitState, 'commit'>): string {
  return commit.slice(0, 7);
}

/** Where a run was in git: `commit a1b2c3d of main, with changes`. The branch is text from outside. */
export function formatGit(git: GitState): string {
  const branch = git.branch === null ? '' : ` of ${git.branch}`;
  return `commit ${shortCommit(git)}${branch}${git.dirty === true ? ', with changes' : ''}`;
}
