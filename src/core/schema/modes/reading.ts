import { z } from 'zod';
import { personSchema, recordIdSchema, spansSchema } from '../review/label.ts';
import { groupingSchema } from './grouping.ts';
import { modeIdSchema } from './mode.ts';

/** A request for the conversations that a person has read. */
export const readingRequestSchema = z.object({ person: personSchema, run: z.string().optional() });

const modeSchema = z.object({
  id: modeIdSchema,
  name: z.string(),
  definition: z.string(),
  includes: z.array(z.string()),
  excludes: z.array(z.string()),
});

/** A conversation that a person has read, with what the person said of it. */
const readConversationSchema = z.object({
  /** The id of the label. */
  note: recordIdSchema,
  task: recordIdSchema,
  item: z.int().nonnegative(),
  isWrong: z.boolean(),
  text: z.string(),
  /** The beginning of the question; its id where its run is no longer stored. */
  question: z.string(),
  spans: spansSchema,
  /** By mode: whether it has it, as this person says; modes that are not marked are missing. */
  marks: z.record(modeIdSchema, z.boolean()),
  /** The modes of which another person's mark differs from this one's. */
  disputed: z.array(modeIdSchema),
});
export type ReadConversation = z.infer<typeof readConversationSchema>;

/** The conversations that a person has read, the failure modes, and the groups that were suggested last. */
export const readingSchema = z.lazy(() =>
  z.object({
    run: z.string().nullable(),
    modes: z.array(modeSchema),
    conversations: z.array(readConversationSchema),
    grouping: groupingSchema.unwrap().nullable(),
  }),
);
export type Reading = z.infer<typeof readingSchema>;
export type ReadingMode = Reading['modes'][number];

const share = z.object({
  estimate: z.number().nullable(),
  lower: z.number().nullable(),
  upper: z.number().nullable(),
});

/** The part of the table of modes that the page of modes shows. */
export const modeSharesSchema = z.lazy(() =>
  z.object({
    targets: z.array(z.string()),
    answers: z.number(),
    read: z.number(),
    rows: z.array(z.object({ id: z.string(), yes: z.number(), ofFailed: share.nullable(), ofAll: share })),
    unseen: z
      .object({ failures: z.number(), once: z.number(), upper: z.number(), more: z.number() })
      .nullable(),
  }),
);
