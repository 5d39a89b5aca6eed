import { z } from 'zod';

const sideSchema = z.lazy(() =>
  z.object({
    total: z.number().nullable(),
    /** The outcome or grade; null when there is none, or it cannot be known. */
    mark: z.string().nullable(),
    passed: z.boolean().nullable(),
  }),
);

/** How one stored answer comes out under two rules. */
const scoreChangeSchema = z.lazy(() =>
  z.object({
    caseId: z.string(),
    target: z.string(),
    attempt: z.int().positive(),
    before: sideSchema,
    after: sideSchema,
  }),
);
export type ScoreChange = z.infer<typeof scoreChangeSchema>;

/** What another rule makes of the answers of one target. */
const targetChangesSchema = z.lazy(() =>
  z.object({
    target: z.string(),
    /** Answers that have a total under both rules. */
    compared: z.int().nonnegative(),
    /** Means over these; null when there are none. */
    meanBefore: z.number().nullable(),
    meanAfter: z.number().nullable(),
    passedBefore: z.int().nonnegative(),
    passedAfter: z.int().nonnegative(),
    /** How many answers had each outcome or grade, before and after. */
    marks: z.array(z.object({ mark: z.string(), before: z.int(), after: z.int() })),
  }),
);

/** What another rule makes of the stored answers of a run, without asking anything. */
const scoreChangesSchema = z.lazy(() =>
  z.object({
    run: z.string(),
    weights: z.array(z.object({ criterion: z.string(), before: z.number(), after: z.number() })),
    targets: z.array(targetChangesSchema),
    /** Answers whose outcome, grade or pass is another one, in the order of the plan. */
    flips: z.array(scoreChangeSchema),
    /** All flips, of which only the first are listed when there are very many. */
    flipCount: z.int().nonnegative(),
  }),
);
export type ScoreChanges = z.infer<typeof scoreChangesSchema>;

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
