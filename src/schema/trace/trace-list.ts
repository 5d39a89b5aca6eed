import { z } from 'zod';

const traceRowSchema = z.object({
  traceId: z.string(),
  /** The start of its first span, or the time when that came in; ISO 8601. */
  at: z.string(),
  /** The beginning of the question; null where it was not recorded. Likewise the answer. */
  question: z.string().nullable(),
  answer: z.string().nullable(),
  /** The error of the bot; null where there was none. */
  error: z.string().nullable(),
  /** In US dollars. */
  cost: z.number().nullable(),
  latencyMs: z.number().nullable(),
  /** Reactions of users, such as `thumb down`. */
  reactions: z.array(z.string()),
  /** The number of cases that were proposed of it. */
  proposals: z.int().nonnegative(),
});
export type TraceRow = z.infer<typeof traceRowSchema>;

/** The newest traces of a store, the newest first, and the number of all. */
export const traceListSchema = z.lazy(() =>
  z.object({ traces: z.array(traceRowSchema), count: z.int().nonnegative() }),
);
export type TraceList = z.infer<typeof traceListSchema>;
