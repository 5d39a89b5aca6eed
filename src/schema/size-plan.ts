import { z } from 'zod';

/** How many questions and attempts it takes to see a difference between two versions of a target. */
export const sizePlanSchema = z.lazy(() =>
  z.object({
    run: z.string(),
    /** The two targets whose differences were measured; or the one whose scores stand for both. */
    targets: z.array(z.string()).min(1).max(2),
    /** The mean difference to be seen, in [0, 1]. */
    difference: z.number(),
    power: z.number(),
    confidence: z.number(),
    /** What the plan rests on. */
    spread: z.object({
      questions: z.int().positive(),
      attempts: z.int().positive(),
      /** Variance of the differences between questions, their noise taken out where it is known. */
      betweenVariance: z.number().nonnegative(),
      /** Variance between attempts at a question, both versions together; null where each was tried once. */
      withinVariance: z.number().nonnegative().nullable(),
      /** False when the differences follow from an assumption: that two versions correlate by one half. */
      isMeasured: z.boolean(),
    }),
    choices: z.array(
      z.object({
        attempts: z.int().positive(),
        questions: z.int().positive(),
        /** Of both versions. */
        calls: z.int().positive(),
        /** In US dollars; null when unknown. */
        cost: z.number().nullable(),
        /** At the concurrency of the run; null when unknown. */
        timeMs: z.number().nullable(),
      }),
    ),
    /** The smallest difference that the questions and attempts of the run itself would show. */
    detectable: z.number(),
  }),
);
export type SizePlan = z.infer<typeof sizePlanSchema>;
