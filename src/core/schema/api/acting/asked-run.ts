import { z } from 'zod';
import { askAgainPlanSchema } from './ask-again.ts';

/**
 * The states of a run that is asked of the workers of a server: it waits for a worker to plan it, is being planned, waits for the
 * confirmation of its plan, waits for a worker to begin it, is being begun, has begun, or was refused.
 */
export const askedStates = [
  'waiting',
  'planning',
  'planned',
  'confirmed',
  'starting',
  'begun',
  'refused',
] as const;
export type AskedState = (typeof askedStates)[number];

/** A run that is asked of the workers of a server, as a page shows it. */
export const askedRunViewSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    state: z.enum(askedStates),
    /** The number of workers that wait for runs of the project. */
    workers: z.int().nonnegative(),
    /** The plan; absent until a worker has planned it. */
    plan: askAgainPlanSchema.optional(),
    /** The id of the run, once it has begun. */
    run: z.string().optional(),
    /** Why there is no run. */
    refusal: z.object({ message: z.string(), remedy: z.string() }).optional(),
  }),
);
export type AskedRunView = z.infer<typeof askedRunViewSchema>;

/** The confirmation of a plan: the limit of the cost in US dollars. */
export const confirmationSchema = z.strictObject({ maxCost: z.number().positive().optional() });
