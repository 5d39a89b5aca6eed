import { z } from 'zod';
import { type LabelPurpose, personSchema, recordIdSchema, subjectSchema } from './label.ts';
import { rubricNameSchema } from './rubric.ts';
import { amount, positiveInt, wholeNumber } from '../json.ts';

/** The list of answers from which items were drawn. */
export const frameSchema = z.object({
  run: z.string(),
  /** The filter of the trials, as written by the user; empty for all. */
  filter: z.array(z.string()),
  /** The number of answers in the frame. */
  count: wholeNumber(),
  /** Hash of the trial keys and answers in the frame, in the order of the plan. */
  hash: z.string(),
  /** Answers of the run that are not in the frame, with the reason. */
  excluded: z.array(z.object({ reason: z.string(), count: positiveInt() })),
});
export type Frame = z.infer<typeof frameSchema>;

/** The rule by which items were drawn from the frame. */
export const drawRuleSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('random') }),
  /** Half of the items where the judge's verdict is passed, half where it is failed; within each, by category if so chosen. */
  z.object({ type: z.literal('stratified'), metric: z.string(), byCategory: z.boolean() }),
  /**
   * Half of the items where the scorecard passed the answer, half where it did not; within each, by category or by cluster if
   * so chosen. Each cluster has similar conversations (k-means over the vectors of an embedder, with the seed of the task).
   */
  z.object({
    type: z.literal('outcome'),
    by: z.enum(['category', 'cluster']).optional(),
    /** The fingerprint of the embedder, and the number of clusters. */
    clusters: z.object({ embedder: z.string(), count: positiveInt() }).optional(),
  }),
  /** As many from each stratum as its size times the spread of its labels in an earlier task asks for. */
  z.object({ type: z.literal('neyman'), metric: z.string(), pilot: z.string() }),
  /** Uncertain verdicts more often than others, each answer with a recorded probability. */
  z.object({ type: z.literal('uncertainty'), metric: z.string(), floor: z.number().min(0).max(1) }),
  z.object({ type: z.literal('every-nth'), n: positiveInt() }),
  /** Picked by hand: never for estimates. */
  z.object({ type: z.literal('by-hand') }),
]);
export type DrawRule = z.infer<typeof drawRuleSchema>;

/** A part of the frame from which items were drawn at random. */
export const stratumSchema = z.object({
  name: z.string(),
  /** The number of answers, and of those drawn. */
  size: wholeNumber(),
  drawn: wholeNumber(),
  /** The number of answers by target; absent in tasks of earlier versions, and where answers were not drawn from all alike. */
  targets: z.record(z.string(), positiveInt()).optional(),
});
export type Stratum = z.infer<typeof stratumSchema>;

const share = z.number().min(0).max(1);

/** A task for people: items to be labelled by rubrics. Its progress and agreement are derived from the labels. */
export const reviewTaskSchema = z.lazy(() =>
  z.object({
    id: recordIdSchema,
    createdAt: z.iso.datetime(),
    /** The questions that are asked about every item. */
    rubrics: z.array(rubricNameSchema).min(1),
    frame: frameSchema,
    draw: drawRuleSchema,
    strata: z.array(stratumSchema),
    /** The fingerprints of the metrics that the rubrics are about, as they were when items were drawn. */
    judged: z.array(z.object({ metric: z.string(), fingerprint: z.string() })).optional(),
    /** The number of items. */
    items: positiveInt(),
    seed: wholeNumber(),
    /** For a task about pairs of answers: the targets whose answers are compared, every two of them, with their names in reports. */
    pairs: z
      .object({
        targets: z.array(z.object({ name: z.string(), run: z.string(), target: z.string() })).min(2),
      })
      .optional(),
    /** A share of the items, drawn at random, is labelled by several people, each other item by one. */
    overlap: z.object({ people: z.int().min(1).max(5), share }),
    /** The people who may label, and those who may decide disputes; everyone when empty. */
    people: z.array(personSchema),
    adjudicators: z.array(personSchema),
    /** The share of a person's items that they see a second time, and after how long at the earliest. */
    repeats: z.object({ share, afterMs: amount() }),
    /** The share of items settled by others that a person labels as a control. */
    controls: z.object({ share }),
    /** A day, such as 2026-12-31. */
    due: z.iso.date().optional(),
    status: z.enum(['open', 'closed']),
  }),
);
export type ReviewTask = z.infer<typeof reviewTaskSchema>;

/** One answer to be labelled in a task. */
export const reviewItemSchema = z.lazy(() =>
  z.object({
    task: recordIdSchema,
    /** The place in the task, from 0. */
    position: wholeNumber(),
    subject: subjectSchema,
    stratum: z.string(),
    /** The probability of being drawn; null when picked by hand. */
    probability: z.number().gt(0).max(1).nullable(),
    /** The number of people who label it. */
    people: z.int().min(1).max(5),
  }),
);
export type ReviewItem = z.infer<typeof reviewItemSchema>;

/**
 * A person's sole hold on an item for a time, so that no two people label it at once. It ends by itself, and it is no
 * record: it is not exported.
 */
export interface Reservation {
  readonly item: number;
  readonly person: string;
  readonly purpose: LabelPurpose;
  /** ISO 8601. */
  readonly until: string;
}

/** The state of an item, as derived from its labels and reservation. `skipped`: everyone asked so far has skipped it. */
export type ItemState =
  | { readonly status: 'open' | 'skipped' }
  | { readonly status: 'reserved'; readonly by: string; readonly until: string }
  | { readonly status: 'labelled'; readonly people: number; readonly wanted: number }
  | { readonly status: 'disputed' | 'settled' };
