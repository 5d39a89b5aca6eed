import { lint } from '../../library/api/lint.ts';
import { look } from '../../library/api/referee/look.ts';
import { planLook } from '../../library/api/referee/plan-look.ts';
import { refereeStatus } from '../../library/api/referee/status.ts';
import { describeProject, findProjectStore } from '../../library/api/project/describe-project.ts';
import { planRun } from '../../library/api/project/plan-run.ts';

/**
 * The functions of the library that load the config of a project, which is code: a server that stays for hours has each of them called
 * in a new process, so that edits count and nothing that a config prints reaches its output.
 */
export const projectCalls = {
  describe: describeProject,
  findStore: findProjectStore,
  lint: async (files: readonly string[], choices: { readonly folder: string; readonly config?: string }) =>
    await lint(files, choices),
  plan: planRun,
  look,
  planLook,
  refereeStatus,
} as const;

export type ProjectCalls = typeof projectCalls;
