import { z } from 'zod';

/** One part of a variance. */
export const noisePartSchema = z.lazy(() =>
  z.object({
    /** In squared units of the measure; null when it is not known. */
    variance: z.number().nonnegative().nullable(),
    /** Why it is not known, or what else is in it. */
    reason: z.string().optional(),
  }),
);
export type NoisePart = z.infer<typeof noisePartSchema>;

/** Where the differences between the values of one measure come from. */
export const measureNoiseSchema = z.lazy(() =>
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
export const noiseAdviceSchema = z.lazy(() =>
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
