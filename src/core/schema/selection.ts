import { z } from 'zod';
import { positiveInt, wholeNumber } from './json.ts';

/** Trials of one kind. */
export const chosenTrialsSchema = z.lazy(() =>
  z.object({
    count: wholeNumber(),
    /** The places of the first of them in the plan, in ascending order. */
    ordinals: z.array(wholeNumber()),
  }),
);
export type ChosenTrials = z.infer<typeof chosenTrialsSchema>;

/** Returns whether the places of all trials of a kind are known. */
export function areWhole({ count, ordinals }: ChosenTrials): boolean {
  return count === ordinals.length;
}

/**
 * The trials of a target that a report shows in full, chosen by their numbers alone. The size is bounded, however
 * many trials there are.
 */
export const selectionSchema = z.lazy(() =>
  z.object({
    /** Every trial. */
    all: chosenTrialsSchema,
    /** Trials that did not pass. */
    unresolved: chosenTrialsSchema,
    /** The first trial that did not pass of each question that has one. */
    questions: chosenTrialsSchema,
    /** Trials in which the target failed, or answered with an error report. */
    errors: chosenTrialsSchema,
    /** Answered trials for which some metric has less than its best value, or no verdict. */
    shortfalls: chosenTrialsSchema,
    /** Number of answers without a verdict, by metric; absent when every metric has a verdict on every answer. */
    unmeasured: z.array(z.object({ metric: z.string(), count: positiveInt() })),
    /** Ids of the questions with the lowest values by metric, lowest first. */
    lowest: z.array(z.object({ metric: z.string(), ids: z.array(z.string()) })),
    /** Ids of the questions with the lowest totals by category, lowest first. */
    lowestInCategory: z.array(z.object({ category: z.string(), ids: z.array(z.string()) })),
  }),
);
export type Selection = z.infer<typeof selectionSchema>;

/** The cases that a target failed in an earlier run, how many of them were asked again, and how many pass now. */
export const failedAgainSchema = z.lazy(() =>
  z.object({
    failed: wholeNumber(),
    asked: wholeNumber(),
    pass: wholeNumber(),
  }),
);
export type FailedAgain = z.infer<typeof failedAgainSchema>;
