import { z } from 'zod';

/** The answer to a part of a run that was sent: how much of the run is stored. */
export const receivedRunSchema = z.lazy(() =>
  z.object({
    run: z.string(),
    /** The number of lines that are stored; the next part begins after them. */
    lines: z.int().nonnegative(),
    /** True once all of it is stored, with the totals that its sender has stated. */
    isWhole: z.boolean(),
  }),
);
export type ReceivedRun = z.infer<typeof receivedRunSchema>;
