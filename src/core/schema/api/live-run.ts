import { z } from 'zod';
import { runStateSchema } from './run-row.ts';
import { waitingSchema } from './waiting-view.ts';
import { workerViewSchema } from './worker-view.ts';
import { amount, positiveInt, wholeNumber } from '../json.ts';

/** A run under way, as `GET /api/events` sends it. */
export const liveRunSchema = z.object({
  run: z.string(),
  state: runStateSchema,
  /** The id of the run that it continues. */
  continues: z.string().optional(),
  /** The number of trials that are completed or failed. */
  done: wholeNumber(),
  planned: wholeNumber(),
  /** The trials that have recently become done in a second; null until two readings of the run differ in time. */
  rate: amount().nullable(),
  /** The time that the rest takes at this rate, in milliseconds; null while none becomes done. */
  timeLeftMs: amount().nullable(),
  /** The failed trials by the code of their error, the most frequent first. */
  errors: z.array(z.object({ code: z.string(), trials: positiveInt() })),
  /** The score of each target so far; without limits where cases have several attempts, which are not independent. */
  scores: z.array(
    z.object({
      target: z.string(),
      estimate: z.number().nullable(),
      lower: z.number().nullable(),
      upper: z.number().nullable(),
    }),
  ),
  /** The cost of targets, judges and simulated users so far, in US dollars. */
  spent: amount(),
  /** The cost limit of the run in US dollars. */
  maxCost: amount().optional(),
  /** The other processes that make its trials; absent when there are none. */
  workers: z.array(workerViewSchema).min(1).optional(),
  /** The waits of its processes; absent when there are none. */
  waiting: waitingSchema.optional(),
});
export type LiveRun = z.infer<typeof liveRunSchema>;

/** A run that is no longer under way. */
export const endedRunSchema = z.object({
  run: z.string(),
  /** The id of the run that it continues. */
  continues: z.string().optional(),
});
export type EndedRun = z.infer<typeof endedRunSchema>;

/**
 * An event of `GET /api/events`: a run under way has changed, at most once a second; a run has ended; or the list of runs
 * has changed.
 */
export type RunEvent =
  | { readonly name: 'run-changed'; readonly data: LiveRun }
  | { readonly name: 'run-ended'; readonly data: EndedRun }
  | { readonly name: 'runs-changed'; readonly data: null };
