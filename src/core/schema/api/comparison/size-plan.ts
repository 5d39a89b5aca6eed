import { z } from 'zod';
import { amount, positiveInt } from '../../json.ts';

/** The number of questions and attempts needed to detect a difference between two versions of a target. */
export const sizePlanSchema = z.lazy(() =>
  z.object({
    /** Null for a plan from a stated discordance alone. */
    run: z.string().nullable(),
    /** The two targets whose differences were measured, or the one whose scores represent both. */
    targets: z.array(z.string()).max(2),
    /** The mean difference to detect, in [0, 1]; with a margin, the true one that the plan reckons with. */
    difference: z.number(),
    /** The loss to rule out, in [0, 1]; absent from a plan to detect a difference. */
    margin: z.number().optional(),
    /** The stated share of pairs that differ; absent where the run has measured it. */
    discordance: z.number().optional(),
    power: z.number(),
    confidence: z.number(),
    /** The variances on which the plan is based. */
    spread: z
      .object({
        questions: positiveInt(),
        attempts: positiveInt(),
        /** Variance of the differences between questions, without their noise where it is known. */
        betweenVariance: amount(),
        /** Variance between attempts at a question, both versions together; null when each question was tried once. */
        withinVariance: amount().nullable(),
        /**
         * False when the differences follow from an assumption: that the scores of two versions have a correlation of
         * one half.
         */
        isMeasured: z.boolean(),
        /**
         * The part of the bounds' margin that allows for a rare loss not seen yet, times the number of questions; absent where single
         * passes and failures are compared, whose test has none.
         */
        unseen: amount().optional(),
        /** The share of pairs that differ, where single passes and failures are compared. */
        discordance: z.number().optional(),
        /** The clusters of the questions and how they widen the difference; absent when no two questions share one. */
        clusters: z
          .object({
            count: positiveInt(),
            /** Mean number of questions in a cluster, and its coefficient of variation. */
            size: z.number().positive(),
            variation: amount(),
            /** Correlation of the differences of two questions of a cluster. */
            correlation: z.number(),
            /** The factor by which clusters raise the variance of the mean, and the degrees of freedom of it (CR2). */
            designEffect: amount(),
            degreesOfFreedom: z.number().positive(),
          })
          .optional(),
      })
      .optional(),
    choices: z.array(
      z.object({
        attempts: positiveInt(),
        questions: positiveInt(),
        /** The clusters that have them; absent when no two questions share one. */
        clusters: positiveInt().optional(),
        /** Calls of both versions together. */
        calls: positiveInt(),
        /** Cost in US dollars; null when unknown. */
        cost: z.number().nullable(),
        /** Estimated time at the concurrency of the run; null when unknown. */
        timeMs: z.number().nullable(),
      }),
    ),
    /**
     * The smallest difference that the questions and attempts of the run itself can detect, or the smallest loss that they can rule out;
     * null without a run.
     */
    detectable: z.number().nullable(),
  }),
);
export type SizePlan = z.infer<typeof sizePlanSchema>;
/** The spread of differences between two versions of a target from question to question. */
export type Spread = NonNullable<SizePlan['spread']>;
