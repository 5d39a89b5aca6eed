import { z } from 'zod';

/** One kind of failure, and how many trials ended in it. */
export const failureKindSchema = z.lazy(() =>
  z.object({
    code: z.string(),
    /** As the first of them said it. */
    message: z.string(),
    trials: z.int().positive(),
  }),
);
export type FailureKind = z.infer<typeof failureKindSchema>;

/**
 * Why a run was ended before all was done, not counting who interrupted it: its limit of `cost` or of `time`, `failures` of
 * a target that gave no answer any more, or that the gate was `decided` without the rest. Where a target is named, the
 * others went on.
 */
export const runStopSchema = z.lazy(() =>
  z.object({
    reason: z.enum(['cost', 'time', 'failures', 'decided']),
    /** The target that was stopped; absent where all were. */
    target: z.string().optional(),
    /** In a sentence. */
    message: z.string(),
    /** The first kinds of failures, each once. */
    failures: z.array(failureKindSchema).optional(),
  }),
);
export type RunStop = z.infer<typeof runStopSchema>;
