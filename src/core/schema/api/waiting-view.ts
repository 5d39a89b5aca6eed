import { z } from 'zod';
import { amount, positiveInt, wholeNumber } from '../json.ts';

/** The refusals of a server by which the calls of a run are held up. */
export const refusedAccountSchema = z.object({
  /** The host of the server, or the name of its account. */
  account: z.string(),
  reason: z.enum(['rate-limited', 'overloaded']),
  /** The status of the last refusal, where it is known. */
  status: z.int().optional(),
  /** The number of refusals since the last answer. */
  inRow: positiveInt(),
  /** The milliseconds until the server is asked again; 0 while it is being asked. */
  nextTryMs: amount(),
});
export type RefusedAccount = z.infer<typeof refusedAccountSchema>;

/** A batch that is being answered. */
export const batchViewSchema = z.object({
  requests: wholeNumber(),
  answered: wholeNumber(),
  failed: wholeNumber(),
  /** The time before which the provider ends it, where it says so; ISO 8601. */
  endsBefore: z.string().optional(),
});
export type BatchView = z.infer<typeof batchViewSchema>;

/** The waits of the processes of a run. */
export const waitingSchema = z.object({
  /** The number of answers that judges are asked about. */
  judging: wholeNumber(),
  refused: z.array(refusedAccountSchema),
  /** The batches that are being answered; absent when there are none. */
  batches: z.array(batchViewSchema).optional(),
});
export type WaitingView = z.infer<typeof waitingSchema>;
