import { z } from 'zod';

/** The state of the git work tree when the run began. Nothing about remotes is recorded. */
export const gitStateSchema = z.lazy(() =>
  z.object({
    /** The full id of the commit, in hexadecimal. */
    commit: z.string().regex(/^(?:[\da-f]{40}|[\da-f]{64})$/),
    /** The branch; null when none was checked out and the environment of the build names none either. */
    branch: z.string().min(1).nullable(),
    /** True when tracked files differed from the commit; null when that could not be determined in time. */
    dirty: z.boolean().nullable(),
  }),
);
export type GitState = z.infer<typeof gitStateSchema>;
