import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** An action that a workflow uses. */
export interface UsedAction {
  readonly file: string;
  /** The repository on GitHub, `owner/name`. */
  readonly repository: string;
  /** The commit, or what stands in its place. */
  readonly commit: string;
  /** The version that a comment names; undefined without one. */
  readonly version: string | undefined;
}

/** Returns the files of this repository that use actions. */
export function workflowFiles(root: string): string[] {
  return globSync(['.github/workflows/*.yml', '.github/actions/**/*.yml'], { cwd: root }).sort();
}

/** Returns every action that the workflows use, except those of this repository itself. */
export function usedActions(root: string): UsedAction[] {
  return workflowFiles(root).flatMap((file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    const uses = text.matchAll(
      /^\s*(?:- )?uses: ([\w.-]+\/[\w.-]+)(?:\/[\w./-]+)?@(\S+)(?: # (v\d\S*))?\s*$/gm,
    );
    return Array.from(uses, ([, repository = '', commit = '', version]) => ({
      file,
      repository,
      commit,
      version,
    }));
  });
}
