import { z } from 'zod';

/** What was checked out in the git work tree of a run, when it began. Of remotes nothing is kept. */
export const gitStateSchema = z.lazy(() =>
  z.object({
    /** The full id of the commit, in hexadecimal. */
    commit: z.string().regex(/^(?:[\da-f]{40}|[\da-f]{64})$/),
    /** null when none was checked out and the environment of a build names none either. */
    branch: z.string().min(1).nullable(),
    /** Whether tracked files differed from the commit; null when that could not be told in time. */
    dirty: z.boolean().nullable(),
  }),
);
export type GitState = z.infer<typeof gitStateSchema>;
