import { z } from 'zod';
import { estimateSchema } from '../estimate.ts';

/** Trials of a run that have something in common, with their numbers. */
export const trialGroupSchema = z.lazy(() =>
  z.object({
    /** The value by field, in the order in which the trials are grouped; null where it is unknown. */
    key: z.record(z.string(), z.union([z.string(), z.number(), z.null()])),
    trials: z.int().nonnegative(),
    /** The number of cases of these trials. */
    cases: z.int().nonnegative(),
    /** The number of trials by result; they add up to `trials`. */
    results: z.object({
      passed: z.int().nonnegative(),
      failed: z.int().nonnegative(),
      error: z.int().nonnegative(),
      'not-measured': z.int().nonnegative(),
      unscored: z.int().nonnegative(),
    }),
    /** The mean total over cases, each counted with the mean of its attempts. */
    score: estimateSchema,
    /** The share of measured trials that passed. */
    passRate: estimateSchema,
    /** The share of the trials that have a total; null without trials. */
    coverage: z.number().nullable(),
  }),
);
/** Trials of a run that have something in common, with their numbers. */
export type TrialGroup = z.infer<typeof trialGroupSchema>;
