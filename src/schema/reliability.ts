import { z } from 'zod';
import { estimateSchema } from './estimate.ts';
import { caseVerdicts } from './expected.ts';

/** How many questions and attempts it takes to see a difference between two versions of a target. */
const sizePlanSchema = z.lazy(() =>
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

/** One part of a variance. */
const noisePartSchema = z.lazy(() =>
  z.object({
    /** In squared units of the measure; null when it is not known. */
    variance: z.number().nonnegative().nullable(),
    /** Why it is not known, or what else is in it. */
    reason: z.string().optional(),
  }),
);
export type NoisePart = z.infer<typeof noisePartSchema>;

/** Where the differences between the values of one measure come from. */
const measureNoiseSchema = z.lazy(() =>
  z.object({
    measure: z.enum(['score', 'metric']),
    /** Of the metric; of the score, that of the scorecard. */
    name: z.string(),
    /** With at least one value. */
    questions: z.int().nonnegative(),
    /** Over all questions. */
    attempts: z.int().nonnegative(),
    /** Of the judge, over all attempts; where none was asked, one for each. */
    samples: z.int().nonnegative(),
    /** Between questions: some are harder. */
    between: noisePartSchema,
    /** Between attempts at a question: the agent does not always answer alike. */
    agent: noisePartSchema,
    /** Between samples of the judge for one answer: it does not always judge alike. */
    judge: noisePartSchema,
  }),
);
export type MeasureNoise = z.infer<typeof measureNoiseSchema>;

/** What more measuring would do for the score, or the first metric that is judged. */
const noiseAdviceSchema = z.lazy(() =>
  z.object({
    /** What lessens the doubt most for its price. */
    more: z.enum(['questions', 'attempts', 'judge-samples']),
    standardError: z.number().nonnegative(),
    /** What becomes of the standard error with twice as many. */
    choices: z.array(
      z.object({
        twice: z.enum(['questions', 'attempts', 'judge-samples']),
        standardError: z.number().nonnegative(),
        /** Of the cost of the whole run. */
        costRatio: z.number().positive(),
      }),
    ),
    /** In attempts: where a question by itself costs more, another attempt at each is worth more than new questions. */
    questionPrice: z.number().nonnegative().nullable(),
    /** Whether prices are known; else a call of the judge counts as much as one of the target. */
    isPriced: z.boolean(),
  }),
);
export type NoiseAdvice = z.infer<typeof noiseAdviceSchema>;

/** Where the differences between the values of a target come from, and what to do about them. */
export const noiseSchema = z.lazy(() =>
  z.object({
    /** The score first, then every metric that is judged. */
    measures: z.array(measureNoiseSchema).min(1),
    /** Absent where the data do not allow any. */
    advice: noiseAdviceSchema.optional(),
  }),
);
export type Noise = z.infer<typeof noiseSchema>;

/** Cases whose attempts came out alike: so many of the measured attempts passed. */
export const reliabilityGroupSchema = z.lazy(() =>
  z.object({
    passed: z.int().nonnegative(),
    /** Attempts that were measured; the same for all cases of the group. */
    measured: z.int().positive(),
    cases: z.int().positive(),
    /** By the rule of the run; absent where it has none. */
    verdict: z.enum(caseVerdicts).optional(),
    /** The first of them. */
    ids: z.array(z.string()),
  }),
);
export type ReliabilityGroup = z.infer<typeof reliabilityGroupSchema>;

/** How cases came out by the rule of the run: so many of their attempts have to pass. */
export const caseRuleSummarySchema = z.lazy(() =>
  z.object({
    passes: z.int().positive(),
    isCurtailed: z.boolean(),
    passed: z.int().nonnegative(),
    failed: z.int().nonnegative(),
    /** Attempts that are missing could still turn the verdict. */
    undecided: z.int().nonnegative(),
    /** Of the cases that are decided, those that passed. */
    share: estimateSchema,
    /** Planned attempts that were not made, since the verdict on their case was settled. */
    notNeeded: z.int().nonnegative(),
  }),
);
export type CaseRuleSummary = z.infer<typeof caseRuleSummarySchema>;

/**
 * How far a target can be relied on when each case is tried several times. A case counts for `k` when at least `k` of its
 * attempts were measured, by its own number of measured attempts; the estimate's `n` says how many cases that are.
 */
export const reliabilitySchema = z.lazy(() =>
  z.object({
    /** Attempts planned for each case. */
    attempts: z.int().min(2),
    /** Absent where every attempt counts for itself. */
    rule: caseRuleSummarySchema.optional(),
    levels: z.array(
      z.object({
        k: z.int().positive(),
        /** pass@k: at least one of k attempts passes. */
        any: estimateSchema,
        /** pass^k: all of k attempts pass. */
        all: estimateSchema,
      }),
    ),
    /** Cases by how many of their attempts passed: the flaky ones first, then those that never pass, then those that always do. */
    groups: z.array(reliabilityGroupSchema),
    /** Cases of which no attempt was measured. */
    unmeasured: z.int().nonnegative(),
  }),
);
export type Reliability = z.infer<typeof reliabilitySchema>;
