import { z } from 'zod';
import { recordIdSchema, writtenBySchema } from '../review/label.ts';

/** The id of the built-in rubric by which people read answers: whether anything is wrong, and what went wrong first. */
export const notesRubricId = 'what-went-wrong';

/** The id of a failure mode, which never changes: lower-case letters, digits and hyphens. */
export const modeIdSchema = z
  .string()
  .regex(
    /^[a-z0-9](?:[a-z0-9-]{0,62}[a-z0-9])?$/,
    'must be lower-case letters, digits and hyphens, such as wrong-date',
  );

/** The name of one version of a mode. */
export const modeNameSchema = z.object({ id: modeIdSchema, version: recordIdSchema });
export type ModeName = z.infer<typeof modeNameSchema>;

const text = z.string().trim().min(1).max(4000);

/** The part of a mode that a reader decides by: other words are another version. */
export const modeWordsSchema = z.object({
  definition: text,
  /** Sentences about what belongs to the mode, and about what does not. */
  includes: z.array(text),
  excludes: z.array(text),
});
export type ModeWords = z.infer<typeof modeWordsSchema>;

/** The state of a mode. `merged` and `split` name the modes that took its place. */
const modeStateSchema = z.discriminatedUnion('status', [
  z.object({ status: z.literal('open') }),
  /** Its marks count for a version of another mode. */
  z.object({ status: z.literal('merged'), into: modeIdSchema, version: recordIdSchema }),
  z.object({ status: z.literal('split'), into: z.array(modeIdSchema).min(1) }),
  z.object({ status: z.literal('retired') }),
]);
export type ModeState = z.infer<typeof modeStateSchema>;

/**
 * A kind of failure, as people have named and defined it. A record never changes: a newer one of the same mode names the record
 * that it replaces, and the newest one holds.
 */
export const modeSchema = z.lazy(() =>
  z.object({
    /** The id of this record; the mode's own is `id`. */
    entry: recordIdSchema,
    id: modeIdSchema,
    name: text,
    ...modeWordsSchema.shape,
    /** Hash of the definition and of what it includes and excludes. */
    version: recordIdSchema,
    state: modeStateSchema,
    /** The versions, of this mode or of others, that a person has stated to mean the same: their marks count for this one. */
    sameAs: z.array(modeNameSchema),
    by: writtenBySchema,
    /** ISO 8601. */
    at: z.iso.datetime(),
    /** The record of the same mode that this one replaces. */
    replaces: recordIdSchema.optional(),
  }),
);
export type Mode = z.infer<typeof modeSchema>;
