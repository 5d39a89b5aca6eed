import { z } from 'zod';

/**
 * Why so many calls were in flight on an account: `start`, `growing` while answers come, `rate-limited` or `overloaded` after
 * too many refusals, `restored` where fewer calls were refused just as often.
 */
export const limitReasonSchema = z.enum(['start', 'growing', 'rate-limited', 'overloaded', 'restored']);
export type LimitReason = z.infer<typeof limitReasonSchema>;

/** From when on so many calls were allowed in flight, and why. */
export const limitStepSchema = z.lazy(() =>
  z.object({
    at: z.iso.datetime(),
    limit: z.int().positive(),
    reason: limitReasonSchema,
  }),
);
export type LimitStep = z.infer<typeof limitStepSchema>;

/** What became of the calls on one account, that is one address and key, during a run. */
export const accountRecordSchema = z.lazy(() =>
  z.object({
    /** Address and name of the key, without secrets. */
    account: z.string(),
    /** Requests sent, repeats included. */
    requests: z.int().nonnegative(),
    /** Of these, refused for a rate limit or overload. */
    refused: z.int().nonnegative(),
    /** Milliseconds that calls have waited for their turn, all together; no part of any latency. */
    waitedMs: z.number().nonnegative(),
    /** Turns of the limit in their order; where there are too many, some in the middle are left out. */
    limits: z.array(limitStepSchema),
  }),
);
export type AccountRecord = z.infer<typeof accountRecordSchema>;

/** Steps that a record holds at most. */
export const mostLimitSteps = 64;

/** A history that is too long loses a step from its middle: how it began and how it ended tell the most. */
export function dropMiddleSteps(steps: LimitStep[]): void {
  if (steps.length > mostLimitSteps) steps.splice(mostLimitSteps / 2, steps.length - mostLimitSteps);
}
