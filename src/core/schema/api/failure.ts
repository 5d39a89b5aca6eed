import { z } from 'zod';

/** The answer to a request that failed: what the command line prints about the same failure. */
export const failureSchema = z.object({
  /** The code of the error; it never changes. */
  code: z.string(),
  message: z.string(),
  /** The action to take. */
  remedy: z.string(),
});
export type Failure = z.infer<typeof failureSchema>;
