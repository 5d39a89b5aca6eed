import { z } from 'zod';
import { feedbackSignalSchema } from '../feedback/feedback.ts';
import { feedbackCountsSchema, periodLengths } from './record-counts.ts';

const count = z.int().nonnegative();

/** An estimate of the statistics with its interval, or the reason why there is none. */
const intervalSchema = z.object({
  estimate: z.number().nullable(),
  lower: z.number().nullable(),
  upper: z.number().nullable(),
  n: count,
  confidence: z.number(),
  method: z.string(),
  clusters: count.optional(),
  reason: z.string().optional(),
  caution: z.string().nullish(),
});
export type FeedbackInterval = z.infer<typeof intervalSchema>;

/** The feedback about the answers of one period, category or target; null names all. */
const feedbackGroupSchema = z.lazy(() =>
  z.object({
    period: z.string().nullable(),
    category: z.string().nullable(),
    target: z.string().nullable(),
    answers: count,
    records: count,
    responseRate: intervalSchema,
    negative: intervalSchema,
    bounds: z.object({ lower: z.number(), upper: z.number() }).nullable(),
    edited: count,
    escalated: count,
  }),
);
export type FeedbackGroupView = z.infer<typeof feedbackGroupSchema>;

/** The feedback in a store, by period, category and target. */
const feedbackSummarySchema = z.lazy(() =>
  z.object({
    counts: feedbackCountsSchema,
    signals: z.partialRecord(feedbackSignalSchema, count),
    late: count,
    replaced: count,
    length: z.enum(periodLengths),
    all: feedbackGroupSchema,
    categories: z.array(feedbackGroupSchema).readonly(),
    targets: z.array(feedbackGroupSchema).readonly(),
    periods: z.array(feedbackGroupSchema).readonly(),
    groups: z.array(feedbackGroupSchema).readonly(),
  }),
);

/** A value, or the reason why it is not measured. */
function measured<Value extends z.ZodType>(value: Value) {
  return z.discriminatedUnion('status', [
    z.object({ status: z.literal('measured'), value }),
    z.object({ status: z.literal('not-measured'), reason: z.string() }),
  ]);
}

const opinionSchema = z.enum(['positive', 'neutral', 'negative']);

/** The agreement of scores with the opinions of users, as `touchstone predict --json` prints it. */
const predictionSchema = z.lazy(() =>
  z.object({
    units: z
      .array(
        z.object({
          category: z.string(),
          target: z.string(),
          week: z.string(),
          score: z.number(),
          scored: count,
          satisfied: z.number(),
          rated: count,
        }),
      )
      .readonly(),
    smallUnits: count,
    spearman: measured(intervalSchema),
    kendall: measured(intervalSchema),
    separations: measured(
      z
        .array(
          z.object({ name: z.string(), auc: intervalSchema.extend({ positives: count, negatives: count }) }),
        )
        .readonly(),
    ),
    calibration: measured(
      z.object({
        n: count,
        reliability: z.array(z.object({ n: count, meanScore: z.number(), share: intervalSchema })).readonly(),
        brier: z.object({ value: z.number().nullable() }),
      }),
    ),
    gaps: z
      .array(
        z.object({
          category: z.string(),
          score: z.number(),
          satisfied: z.number(),
          rated: count,
          ranks: z.tuple([count, count]).readonly(),
          examples: z
            .array(
              z.object({
                run: z.string(),
                ordinal: count,
                caseId: z.string(),
                target: z.string(),
                score: z.number(),
                opinion: opinionSchema,
              }),
            )
            .readonly(),
        }),
      )
      .readonly(),
  }),
);
export type PredictionView = z.infer<typeof predictionSchema>;

/** The summary of what users said, and whether scores predict it. */
export const feedbackViewSchema = z.lazy(() =>
  z.object({ summary: feedbackSummarySchema, prediction: predictionSchema }),
);
export type FeedbackView = z.infer<typeof feedbackViewSchema>;

/** An answer that users were given, with what they did. */
const ratedRowSchema = z.lazy(() =>
  z.object({
    run: z.string(),
    ordinal: count,
    caseId: z.string(),
    category: z.string(),
    target: z.string(),
    answeredAt: z.string(),
    score: z.number().nullable(),
    opinion: opinionSchema.nullable(),
    signals: z.array(feedbackSignalSchema).readonly(),
    /** The last text of a user; absent without one. It may be cut. */
    comment: z.string().optional(),
  }),
);
export type RatedRow = z.infer<typeof ratedRowSchema>;

/** A part of the list of answers. */
export const ratedListSchema = z.lazy(() =>
  z.object({
    rows: z.array(ratedRowSchema).readonly(),
    /** The number of answers that match. */
    count,
  }),
);
export type RatedList = z.infer<typeof ratedListSchema>;
