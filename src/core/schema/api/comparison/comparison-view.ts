import { z } from 'zod';
import { runComparisonSchema, runDifferenceSchema } from '../../run-comparison.ts';
import { pairRowSchema } from './pair-row.ts';
import { runRowSchema } from '../run-row.ts';
import { positiveInt, wholeNumber } from '../../json.ts';

/** Two runs and their comparison, for the page that compares them. */
export const comparisonViewSchema = z.lazy(() =>
  z.object({
    a: runRowSchema,
    b: runRowSchema,
    /** The comparison as `touchstone compare --json` prints it. */
    comparison: runComparisonSchema,
    /** The folder of the store, as `--store` takes it; absent when a command finds the store without it. */
    storeFolder: z.string().optional(),
  }),
);
/** Two runs and their comparison, for the page that compares them. */
export type ComparisonView = z.infer<typeof comparisonViewSchema>;

/** The paired differences of two runs on one measure, in their order. */
export const differenceListSchema = z.lazy(() =>
  z.object({
    ...runDifferenceSchema.pick({ measure: true, name: true, unit: true, better: true }).shape,
    /** Pairs next to each other, from the lowest difference to the highest. No step has differences of two signs. */
    steps: z.array(
      z.object({
        /** B minus A; the mean when the step has several pairs. */
        difference: z.number(),
        pairs: positiveInt(),
      }),
    ),
  }),
);
/** The paired differences of two runs on one measure, in their order. */
export type DifferenceList = z.infer<typeof differenceListSchema>;

/** A part of the list of pairs of two runs. */
export const pairListSchema = z.lazy(() =>
  z.object({
    targets: z.object({ a: z.string(), b: z.string() }),
    rows: z.array(pairRowSchema),
    /** The number of pairs that match the filter. */
    count: wholeNumber(),
    /** The place after which the list goes on; null at its end. */
    next: z.string().nullable(),
  }),
);
