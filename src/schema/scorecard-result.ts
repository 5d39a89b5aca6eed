import { z } from 'zod';

/** A metric with a weight. Weights of a scorecard add up to 1; a criterion of weight 0 is shown, not counted. */
export const criterionSchema = z.lazy(() =>
  z.object({
    name: z.string(),
    /** The name of the metric in this run. */
    metric: z.string(),
    weight: z.number().min(0).max(1),
    /** A trial cannot pass unless this criterion is fully met. */
    required: z.boolean(),
    /** Least value of the metric with which the criterion is true, where it is true or false. */
    atLeast: z.number().optional(),
    /** Greatest value of the metric with which the criterion is true, where it is true or false. */
    atMost: z.number().optional(),
    /** To be true is bad, and takes the weight off the score. Such weights do not count among those that add up to 1. */
    negative: z.literal(true).optional(),
    /** The best outcome that a trial can have that does not meet this criterion. */
    caps: z.string().optional(),
  }),
);
export type Criterion = z.infer<typeof criterionSchema>;

/** A grade goes to every total of at least `from`. */
export const gradeSchema = z.lazy(() =>
  z.object({
    grade: z.string(),
    from: z.number(),
    meaning: z.string(),
    /** What to do about a score in its range. */
    action: z.string().optional(),
  }),
);
/** A grade goes to every total of at least `from`. */
export type Grade = z.infer<typeof gradeSchema>;

/**
 * An outcome goes to every total of at least `from` (of more than `above`, where that is given) for which the criterion
 * `when` is met. Of several rules the first that holds counts.
 */
export const outcomeRuleSchema = z.lazy(() =>
  z.object({
    outcome: z.string(),
    from: z.number(),
    above: z.number().optional(),
    /** The name of a criterion. */
    when: z.string().optional(),
    meaning: z.string(),
  }),
);
export type OutcomeRule = z.infer<typeof outcomeRuleSchema>;

/**
 * What a scorecard says of one trial. When a weighted criterion was not measured, `total` is null and
 * `lower` and `upper` are what it would be had all such criteria failed or been met.
 */
export const scorecardResultSchema = z.lazy(() =>
  z.object({
    total: z.number().nullable(),
    lower: z.number(),
    upper: z.number(),
    grade: z.string().nullable(),
    /** Absent from a scorecard without outcomes; null when it cannot be known. */
    outcome: z.string().nullable().optional(),
    /** null when it cannot be known. */
    passed: z.boolean().nullable(),
    explanation: z.string(),
    /** The total with each sample of the judge by itself; absent where it was asked once. */
    samples: z.array(z.number()).min(2).optional(),
  }),
);
/**
 * What a scorecard says of one trial. When a weighted criterion was not measured, `total` is null and
 * `lower` and `upper` are what it would be had all such criteria failed or been met.
 */
export type ScorecardResult = z.infer<typeof scorecardResultSchema>;
