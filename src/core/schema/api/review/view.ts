import { z } from 'zod';
import { rubricNameSchema, rubricSchema } from '../../review/rubric.ts';
import { reviewTaskSchema } from '../../review/review-task.ts';

const count = z.int().nonnegative();

/** A count of pairs of labels and of those that give the same answer, with the interval of the share. */
const samenessSchema = z.lazy(() =>
  z.object({
    pairs: count,
    same: count,
    share: z.object({
      estimate: z.number().nullable(),
      lower: z.number().nullable(),
      upper: z.number().nullable(),
    }),
  }),
);
export type SamenessView = z.infer<typeof samenessSchema>;

const personProgressSchema = z.lazy(() =>
  z.object({
    person: z.string(),
    labelled: count,
    skipped: count,
    repeats: count,
    decided: count,
    medianSeconds: z.number().nullable(),
    longestSittingMs: z.number(),
    steadiness: samenessSchema,
  }),
);
export type PersonProgressView = z.infer<typeof personProgressSchema>;

/** The progress of a review task, as derived from its labels. */
const reviewProgressSchema = z.lazy(() =>
  z.object({
    items: count,
    states: z.object({
      open: count,
      skipped: count,
      reserved: count,
      labelled: count,
      disputed: count,
      settled: count,
    }),
    wanted: count,
    given: count,
    hoursLeft: z.number(),
    people: z.array(personProgressSchema).readonly(),
    agreement: z.array(z.object({ rubric: rubricNameSchema, ...samenessSchema.unwrap().shape })).readonly(),
    disputed: z.array(count).readonly(),
  }),
);

/** A review task with its questions and its progress. */
export const reviewViewSchema = z.lazy(() =>
  z.object({
    task: reviewTaskSchema.unwrap().pick({
      id: true,
      createdAt: true,
      items: true,
      people: true,
      adjudicators: true,
      overlap: true,
      due: true,
      status: true,
    }),
    run: z.string(),
    rubrics: z.array(rubricSchema).readonly(),
    progress: reviewProgressSchema,
    /** The name of the person who is signed in, or who started the server, as git knows it; absent when unknown. */
    person: z.string().optional(),
    /** True when the person is signed in, and can label under that name only. */
    isSignedIn: z.literal(true).optional(),
  }),
);
/** A review task with its questions and its progress. */
export type ReviewTaskView = z.infer<typeof reviewViewSchema>;
