import { z } from 'zod';

/**
 * Why so many calls were in flight on an account: `start`, `growing` while answers come, `rate-limited` or `overloaded` after
 * too many refusals, `restored` where fewer calls were refused just as often.
 */
const limitReasonSchema = z.enum(['start', 'growing', 'rate-limited', 'overloaded', 'restored']);
export type LimitReason = z.infer<typeof limitReasonSchema>;

/** From when on so many calls were allowed in flight, and why. */
const limitStepSchema = z.lazy(() =>
  z.object({
    at: z.iso.datetime(),
    limit: z.int().positive(),
    reason: limitReasonSchema,
  }),
);
export type LimitStep = z.infer<typeof limitStepSchema>;

/** What became of the calls on one account, that is one address and key, during a run. */
export const accountRecordSchema = z.lazy(() =>
  z.object({
    /** Address and name of the key, without secrets. */
    account: z.string(),
    /** Requests sent, repeats included. */
    requests: z.int().nonnegative(),
    /** Of these, refused for a rate limit or overload. */
    refused: z.int().nonnegative(),
    /** Milliseconds that calls have waited for their turn, all together; no part of any latency. */
    waitedMs: z.number().nonnegative(),
    /** Turns of the limit in their order; where there are too many, some in the middle are left out. */
    limits: z.array(limitStepSchema),
  }),
);
export type AccountRecord = z.infer<typeof accountRecordSchema>;

/** Steps that a record holds at most. */
const mostLimitSteps = 64;

/** A history that is too long loses a step from its middle: how it began and how it ended tell the most. */
export function dropMiddleSteps(steps: LimitStep[]): void {
  if (steps.length > mostLimitSteps) steps.splice(mostLimitSteps / 2, steps.length - mostLimitSteps);
}

/** What judging a run took, apart from what its targets took. */
export const judgeSummarySchema = z.lazy(() =>
  z.object({
    /** Judgements that the run asked for and paid. */
    asked: z.int().nonnegative(),
    /** Judgements that were there before, at no cost. */
    cached: z.int().nonnegative(),
    /** Verdicts that are missing because a judge failed. */
    failed: z.int().nonnegative(),
    /** Calls of models by the run, those that gave no usable reply included. */
    calls: z.int().nonnegative(),
    inputTokens: totalSchema,
    outputTokens: totalSchema,
    /** In US dollars. */
    cost: totalSchema,
  }),
);
export type JudgeSummary = z.infer<typeof judgeSummarySchema>;

/** The sum of a quantity over trials. A trial that did not report it is counted as unknown, never taken for 0. */
const totalSchema = z.lazy(() =>
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

/** What a target or a model says it consumed. A count that was not reported is absent, never 0. */
export const usageSchema = z.lazy(() =>
  z.object({
    inputTokens: z.number().nonnegative().optional(),
    outputTokens: z.number().nonnegative().optional(),
    cachedTokens: z.number().nonnegative().optional(),
    reasoningTokens: z.number().nonnegative().optional(),
  }),
);
export type Usage = z.infer<typeof usageSchema>;

/** Times of one call in milliseconds, without any waiting of ours. */
export const latencySchema = z.lazy(() =>
  z.object({
    totalMs: z.number().nonnegative(),
    firstTokenMs: z.number().nonnegative().optional(),
    stepsMs: z.array(z.number().nonnegative()).optional(),
  }),
);
export type Latency = z.infer<typeof latencySchema>;

const counts = ['inputTokens', 'outputTokens', 'cachedTokens', 'reasoningTokens'] as const;

/** What several calls consumed together. A count that one of them did not report is not known of all. */
export function sumUsage(all: readonly (Usage | undefined)[]): Usage | undefined {
  const known = counts.flatMap((count): [string, number][] => {
    const sum = sumKnown(all.map((usage) => usage?.[count]));
    return sum === undefined ? [] : [[count, sum]];
  });
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

/** The sum of amounts; undefined when one of them is not known, or when there are none. */
export function sumKnown(amounts: readonly (number | undefined)[]): number | undefined {
  let sum = 0;
  for (const amount of amounts) {
    if (amount === undefined) return undefined;
    sum += amount;
  }
  return amounts.length === 0 ? undefined : sum;
}
