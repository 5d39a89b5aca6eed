import { z } from 'zod';

/** The sum of a quantity over trials. A trial that did not report it is counted as unknown, never taken for 0. */
export const totalSchema = z.lazy(() =>
  z.object({
    /** null when no trial reported the quantity. */
    sum: z.number().nonnegative().nullable(),
    /** Trials that reported it. */
    reported: z.int().nonnegative(),
    /** Trials that did not. */
    unknown: z.int().nonnegative(),
  }),
);
export type Total = z.infer<typeof totalSchema>;

const limitsSchema = z.object({ lower: z.number(), upper: z.number() });

/** Nearest-rank percentiles of a measured quantity, in its unit. */
export const percentilesSchema = z.object({
  p50: z.number(),
  p90: z.number(),
  p99: z.number(),
  /** 95 % limits of each, by order statistics; one is missing where there are too few values for it. */
  intervals: z
    .object({
      p50: limitsSchema.optional(),
      p90: limitsSchema.optional(),
      p99: limitsSchema.optional(),
      /** Values that do not depend on each other: cases, or clusters of them. */
      n: z.int().positive(),
    })
    .optional(),
});
export type Percentiles = z.infer<typeof percentilesSchema>;

/** What was taken beside the target, by models that play its users or rewrite their questions. */
const sideUsageSchema = z.lazy(() =>
  z.object({
    /** Trials in which such a model was asked. */
    trials: z.int().positive(),
    inputTokens: totalSchema,
    outputTokens: totalSchema,
    /** In US dollars. */
    cost: totalSchema,
  }),
);
export type SideUsage = z.infer<typeof sideUsageSchema>;

/** What the calls of a target took, those that failed or were cancelled included: they are paid for too. */
export const usageSummarySchema = z.lazy(() =>
  z.object({
    /** Trials that were called. */
    trials: z.int().nonnegative(),
    inputTokens: totalSchema,
    outputTokens: totalSchema,
    /** Part of the input tokens. */
    cachedTokens: totalSchema,
    /** Part of the output tokens. */
    reasoningTokens: totalSchema,
    /** In US dollars. */
    cost: totalSchema,
    /** What playing the users took, which is no part of the above; absent where no model played one. */
    users: sideUsageSchema.optional(),
    /** What putting questions in other words took, which is no part of the above; absent where no model was asked to. */
    rewriting: sideUsageSchema.optional(),
    /** Calls made again after a passing fault, over all trials. */
    retries: z.int().nonnegative(),
    /** Milliseconds of one trial; null when no trial has a time. */
    latency: z.object({ n: z.int().positive(), ...percentilesSchema.shape }).nullable(),
  }),
);
export type UsageSummary = z.infer<typeof usageSummarySchema>;
