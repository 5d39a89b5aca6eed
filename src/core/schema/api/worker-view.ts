import { z } from 'zod';
import { amount, wholeNumber } from '../json.ts';

/**
 * The state of a worker: it works on a part of the plan, looks for one, was refused since it evaluates in another way than the run, or
 * has stopped answering.
 */
const workerStateSchema = z.enum(['working', 'looking', 'unfit', 'silent']);

/** A worker of a run under way, as it has last reported itself. */
export const workerViewSchema = z.lazy(() =>
  z.object({
    /** Its name, which no other worker has. */
    worker: z.string(),
    /** The name of its machine. */
    machine: z.string(),
    pid: wholeNumber(),
    /** Its version of Touchstone. */
    version: z.string(),
    state: workerStateSchema,
    /** The parts of the plan that it works on: the positions of their cases, such as `40-60, 80-100`. */
    part: z.string().optional(),
    /** The number of trials that it has made and scored. */
    done: wholeNumber(),
    /** The number of trials that it is making. */
    inFlight: wholeNumber(),
    /** The number of trials that are stored and wait for their scores. */
    waiting: wholeNumber(),
    /** Its costs in US dollars. */
    spent: amount(),
    /** Its memory in bytes. */
    rss: wholeNumber(),
    /** The longest time for which its code lately made everything else wait, in milliseconds. */
    lagMs: amount(),
    /** The reason why it is refused, such as "metric tone differs". */
    unfit: z.string().optional(),
    /** The milliseconds since its last report. */
    ageMs: amount(),
  }),
);
export type WorkerView = z.infer<typeof workerViewSchema>;
