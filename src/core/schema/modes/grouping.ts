import { z } from 'zod';
import { recordIdSchema } from '../review/label.ts';

/** The maker of a grouping: a judge, or an embedder with the distance at which groups are no longer joined. */
const groupedBySchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('judge'), name: z.string(), fingerprint: z.string() }),
  z.object({ type: z.literal('embedder'), name: z.string(), cut: z.number().min(0).max(2) }),
]);

/** Suggested groups of notes: nothing of it counts until a person has made modes and marks of it. It never changes. */
export const groupingSchema = z.lazy(() =>
  z.object({
    id: recordIdSchema,
    /** The review task whose notes were grouped; null for notes of several tasks. */
    task: recordIdSchema.nullable(),
    by: groupedBySchema,
    /** Each with the ids of its notes, which are labels. */
    groups: z.array(
      z.object({ name: z.string().min(1), definition: z.string(), notes: z.array(recordIdSchema).min(1) }),
    ),
    ungrouped: z.array(recordIdSchema),
    /** ISO 8601. */
    at: z.iso.datetime(),
  }),
);
export type Grouping = z.infer<typeof groupingSchema>;
