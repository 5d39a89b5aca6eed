import { z } from 'zod';
import { estimateSchema } from '../estimate.ts';
import { gitStateSchema } from '../run.ts';
import { decisionHeadSchema } from './run-head.ts';

/**
 * The state of a run and of its process. `interrupted` ended early, `never-started` ended while it was being planned, and
 * `not-imported` is incomplete because its import failed.
 */
export const runStateSchema = z.enum([
  'planning',
  'running',
  'completed',
  'interrupted',
  'never-started',
  'importing',
  'not-imported',
]);
export type RunState = z.infer<typeof runStateSchema>;

/** The progress of a run that is under way. */
export const runProgressSchema = z.object({
  /** The number of trials that are completed or failed. */
  done: z.int().nonnegative(),
  planned: z.int().nonnegative(),
  /** The mean total so far; null before the first. */
  score: z.number().nullable(),
});
export type RunProgress = z.infer<typeof runProgressSchema>;

/** One run in the list of runs. */
export const runRowSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    state: runStateSchema,
    createdAt: z.string(),
    finishedAt: z.string().optional(),
    description: z.string().optional(),
    git: gitStateSchema.optional(),
    continues: z.string().optional(),
    rescoredFrom: z.string().optional(),
    dataset: z.object({ sources: z.array(z.string()), cases: z.int().nonnegative(), hash: z.string() }),
    attempts: z.int().positive(),
    hasScorecard: z.boolean(),
    /** The targets without a condition, in the order of the run. */
    targets: z.array(
      z.object({
        target: z.string(),
        /** Null as long as the run has no summary. */
        score: estimateSchema.nullable(),
        /** Trials with a score, and trials that should have one. */
        measured: z.int().nonnegative(),
        needed: z.int().nonnegative(),
      }),
    ),
    /** Null as long as the run has no summary. */
    decision: decisionHeadSchema.nullable(),
    /** The cost of targets, judges and simulated users in US dollars; null when no call reported any. */
    cost: z.number().nullable(),
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
