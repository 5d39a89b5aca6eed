import { z } from 'zod';
import { runHeadObject } from './run-head.ts';
import { wholeNumber } from '../json.ts';

/**
 * The state of a run and of its process. `interrupted` ended early, `never-started` ended while it was being planned, and
 * `not-imported` is incomplete because its import failed. `sent-in-part` is incomplete, too: another machine sends it, or has begun to.
 */
export const runStateSchema = z.enum([
  'planning',
  'running',
  'completed',
  'interrupted',
  'never-started',
  'importing',
  'not-imported',
  'sent-in-part',
]);
export type RunState = z.infer<typeof runStateSchema>;

/** The progress of a run that is under way. */
export const runProgressSchema = z.object({
  /** The number of trials that are completed or failed. */
  done: wholeNumber(),
  planned: wholeNumber(),
  /** The mean total so far; null before the first. */
  score: z.number().nullable(),
});
export type RunProgress = z.infer<typeof runProgressSchema>;

/** One run in the list of runs: its head, with the state of its process. */
export const runRowSchema = z.lazy(() =>
  runHeadObject().extend({
    state: runStateSchema,
    /** Present while the run is under way. */
    progress: runProgressSchema.optional(),
  }),
);
export type RunRow = z.infer<typeof runRowSchema>;

/** A page of the list of runs, the newest first. */
export const runListSchema = z.lazy(() =>
  z.object({
    runs: z.array(runRowSchema),
    /** The id to continue the list before; null at its end. */
    next: z.string().nullable(),
  }),
);
export type RunList = z.infer<typeof runListSchema>;

/** The values by which the list of runs can be filtered, each once, in alphabetical order. */
export const runValuesSchema = z.lazy(() =>
  z.object({ dataset: z.array(z.string()), target: z.array(z.string()), branch: z.array(z.string()) }),
);
export type RunValues = z.infer<typeof runValuesSchema>;
