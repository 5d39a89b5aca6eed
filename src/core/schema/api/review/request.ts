import { z } from 'zod';
import {
  labelSchema,
  labelPurposeSchema,
  labelValueSchema,
  personSchema,
  recordIdSchema,
  skipReasonSchema,
} from '../../review/label.ts';
import { amount, nonEmpty, positiveInt, wholeNumber } from '../../json.ts';

const role = z.enum(['reviewer', 'adjudicator']).default('reviewer');
const item = wholeNumber();
const note = z.string().max(10_000).optional();

const givenLabelSchema = z.lazy(() =>
  z.object({
    rubric: z.string(),
    /** The value; null for "not applicable". */
    value: labelValueSchema.nullable(),
    note,
    spans: labelSchema.unwrap().shape.spans,
  }),
);

/** The parts that every answer to an item has. */
const answerShape = {
  person: personSchema,
  item,
  purpose: labelPurposeSchema,
  /** A unique text: what is sent again with it is stored once. */
  id: recordIdSchema,
  /** The time from the display of the item to the answer. */
  seconds: amount().max(86_400),
  /** The place in the sitting, from 1. */
  order: positiveInt(),
  /** For a pair: the value on the card. */
  turn: z.union([z.literal(0), z.literal(1)]).optional(),
};

/** The most answers that are picked for one task. */
const mostPicked = 1000;

/** A request to create a task of answers that were picked by hand. */
export const newTaskRequestSchema = z.object({
  /** The name of the person where people are signed in. */
  person: personSchema.optional(),
  /** The id of the run. */
  run: nonEmpty(),
  /** The places of the answers in the plan of the run. */
  ordinals: z.array(wholeNumber()).min(1).max(mostPicked),
  asks: z.union([
    /** The id of a rubric that an earlier task asked. */
    z.object({ rubric: nonEmpty() }),
    /** A new question, answered yes or no. */
    z.object({ question: z.string().trim().min(1).max(1000) }),
  ]),
});
export type NewTaskRequest = z.input<typeof newTaskRequestSchema>;

/** The answer: the id of the new task. */
export const newTaskSchema = z.object({ task: z.string() });

/** A request for the next items of a person. */
export const nextItemsRequestSchema = z.object({ person: personSchema, role, count: z.int().min(1).max(10) });

/** A request to store the labels of an item, one for each rubric. */
export const labelsRequestSchema = z.lazy(() =>
  z.object({ ...answerShape, labels: z.array(givenLabelSchema).min(1).max(50) }),
);
export type LabelsRequest = z.input<typeof labelsRequestSchema>;

/** A request to skip an item. */
export const skipRequestSchema = z.lazy(() => z.object({ ...answerShape, reason: skipReasonSchema, note }));
export type SkipRequest = z.input<typeof skipRequestSchema>;

/** A request to undo what a person said last; nothing is undone unless it was about the item. */
export const undoRequestSchema = z.object({
  person: personSchema,
  role,
  item: item.optional(),
  /** A unique text: what is sent again with it is done once. */
  id: recordIdSchema.optional(),
});

/** A request for what may be seen after the label. */
export const revealRequestSchema = z.object({ person: personSchema, item });

/** A request to store what a person concludes from what was shown. */
export const correctionRequestSchema = z.lazy(() =>
  z.object({
    person: personSchema,
    item,
    id: recordIdSchema,
    label: givenLabelSchema,
    finding: z.enum(['own-error', 'judge-wrong', 'rubric-unclear']),
  }),
);
export type CorrectionRequest = z.input<typeof correctionRequestSchema>;

/** A request to give back the items that are reserved for a person. */
export const releaseRequestSchema = z.object({ person: personSchema });
