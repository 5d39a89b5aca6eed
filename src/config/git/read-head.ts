import path from 'node:path';
import { type GitFolders, readLine } from './find-git-folders.ts';

/** What is checked out. */
export interface Head {
  readonly commit: string;
  /** null when a commit is checked out by itself. */
  readonly branch: string | null;
}

const commitId = /^(?:[\da-f]{40}|[\da-f]{64})$/;

/**
 * Reads what is checked out from the files of git, which costs less than a process. Undefined before the first commit,
 * and where git keeps its branches in another form.
 */
export function readHead({ own, common }: GitFolders): Head | undefined {
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
