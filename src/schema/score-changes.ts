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
export const scoreChangeSchema = z.lazy(() =>
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
export const targetChangesSchema = z.lazy(() =>
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
export const scoreChangesSchema = z.lazy(() =>
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
