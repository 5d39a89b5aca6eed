import { z } from 'zod';

/** Trials of a kind. */
export const chosenTrialsSchema = z.lazy(() =>
  z.object({
    count: z.int().nonnegative(),
    /** The places in the plan of the first of them, in rising order. */
    ordinals: z.array(z.int().nonnegative()),
  }),
);
export type ChosenTrials = z.infer<typeof chosenTrialsSchema>;

/** Whether the places of all trials of a kind are known. */
export function areWhole({ count, ordinals }: ChosenTrials): boolean {
  return count === ordinals.length;
}

/**
 * What the numbers alone say of a target's single trials, and which of them a report looks at in full. Of bounded size,
 * however many trials there are.
 */
export const selectionSchema = z.lazy(() =>
  z.object({
    /** Every trial. */
    all: chosenTrialsSchema,
    /** What did not pass. */
    unresolved: chosenTrialsSchema,
    /** Of each question of which a trial did not pass, the first such trial. */
    questions: chosenTrialsSchema,
    /** The target failed, or answered with an error report. */
    errors: chosenTrialsSchema,
    /** Answered, and some metric gave less than its best or no verdict. */
    shortfalls: chosenTrialsSchema,
    /** On how many answers a metric gave no verdict; absent where it always did. */
    unmeasured: z.array(z.object({ metric: z.string(), count: z.int().positive() })),
    /** By metric, the ids of the questions with the lowest values, lowest first. */
    lowest: z.array(z.object({ metric: z.string(), ids: z.array(z.string()) })),
    /** By category, the ids of the questions with the lowest totals, lowest first. */
    lowestInCategory: z.array(z.object({ category: z.string(), ids: z.array(z.string()) })),
  }),
);
export type Selection = z.infer<typeof selectionSchema>;
