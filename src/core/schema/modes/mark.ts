import { z } from 'zod';
import {
  labelDrawSchema,
  recordIdSchema,
  spansSchema,
  subjectSchema,
  writtenBySchema,
} from '../review/label.ts';
import { modeNameSchema } from './mode.ts';

/**
 * A person's statement that an answer has a failure mode, or that it does not. It never changes: a newer one names the mark that
 * it replaces. An answer without a mark of a mode is not measured; it never counts as one without the failure.
 */
export const markSchema = z.lazy(() =>
  z.object({
    id: recordIdSchema,
    /** The answer; a mark is never about another answer to the same question. */
    subject: subjectSchema,
    /** The id of the label with the note of the person who read the answer; null for a mark from elsewhere. */
    note: recordIdSchema.nullable(),
    mode: modeNameSchema,
    present: z.boolean(),
    /** True for the mode of what went wrong first; at most one of those that an answer has. */
    first: z.boolean(),
    /** The words of the answer that show it. */
    spans: spansSchema.optional(),
    by: writtenBySchema,
    /** ISO 8601. */
    at: z.iso.datetime(),
    /** The review task in which the answer was read; null for an answer from elsewhere. */
    task: recordIdSchema.nullable(),
    /** The draw of the answer; null, or without a probability, where it was picked by hand: no share may use it. */
    draw: labelDrawSchema.nullable(),
    /** The mark of the same person, answer and mode that it replaces. */
    replaces: recordIdSchema.optional(),
    /** True when it withdraws the mark that it replaces: the person says nothing of the mode. */
    withdrawn: z.literal(true).optional(),
  }),
);
export type Mark = z.infer<typeof markSchema>;
