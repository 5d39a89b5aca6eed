import { z } from 'zod';
import { amount, positiveInt, wholeNumber } from './json.ts';

/** The usage that a target or a model reports. A count that was not reported is absent, never 0. */
export const usageSchema = z.lazy(() =>
  z.object({
    inputTokens: amount().optional(),
    outputTokens: amount().optional(),
    cachedTokens: amount().optional(),
    reasoningTokens: amount().optional(),
  }),
);
export type Usage = z.infer<typeof usageSchema>;

/** Times of one call in milliseconds, excluding Touchstone's own waiting. */
export const latencySchema = z.lazy(() =>
  z.object({
    totalMs: amount(),
    firstTokenMs: amount().optional(),
    stepsMs: z.array(amount()).optional(),
    /** The last pause before an answer that was fetched by asking for its status: the times are longer by that at most. */
    polled: amount().optional(),
  }),
);
export type Latency = z.infer<typeof latencySchema>;

const counts = ['inputTokens', 'outputTokens', 'cachedTokens', 'reasoningTokens'] as const;

/** The batch that answered a call, which has no latency then. */
export const batchRefSchema = z.object({
  id: z.string(),
  submittedAt: z.string().optional(),
  endedAt: z.string().optional(),
});
export type BatchRef = z.infer<typeof batchRefSchema>;

/** Returns the usage of several calls together. A count that one of them did not report is unknown for all. */
export function sumUsage(all: readonly (Usage | undefined)[]): Usage | undefined {
  const known = counts.flatMap((count): [string, number][] => {
    const sum = sumKnown(all.map((usage) => usage?.[count]));
    return sum === undefined ? [] : [[count, sum]];
  });
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

/** Returns the sum of amounts; undefined when one of them is unknown, or when there are none. */
export function sumKnown(amounts: readonly (number | undefined)[]): number | undefined {
  let sum = 0;
  for (const amount of amounts) {
    if (amount === undefined) return undefined;
    sum += amount;
  }
  return amounts.length === 0 ? undefined : sum;
}

/** The sum of a quantity over trials. A trial that did not report it counts as unknown, never as 0. */
export const totalSchema = z.lazy(() =>
  z.object({
    /** null when no trial reported the quantity. */
    sum: amount().nullable(),
    /** Trials that reported it. */
    reported: wholeNumber(),
    /** Trials that did not report it. */
    unknown: wholeNumber(),
  }),
);
export type Total = z.infer<typeof totalSchema>;

const limitsSchema = z.object({ lower: z.number(), upper: z.number() });

/** Nearest-rank percentiles of a measured quantity, in its unit. */
export const percentilesSchema = z.object({
  p50: z.number(),
  p90: z.number(),
  p99: z.number(),
  /** 95 % limits of each percentile, by order statistics; absent when there are too few values. */
  intervals: z
    .object({
      p50: limitsSchema.optional(),
      p90: limitsSchema.optional(),
      p99: limitsSchema.optional(),
      /** Number of independent values: cases, or clusters of them. */
      n: positiveInt(),
    })
    .optional(),
});
export type Percentiles = z.infer<typeof percentilesSchema>;

/** The usage of a target's calls, including failed and cancelled ones, which are paid for too. */
export const usageSummarySchema = z.lazy(() =>
  z.object({
    /** Trials in which the target was called. */
    trials: wholeNumber(),
    inputTokens: totalSchema,
    outputTokens: totalSchema,
    /** Part of the input tokens. */
    cachedTokens: totalSchema,
    /** Part of the output tokens. */
    reasoningTokens: totalSchema,
    /** Cost in US dollars. */
    cost: totalSchema,
    /** The usage of playing the users, not included above; absent when no model played one. */
    users: sideUsageSchema.optional(),
    /** The usage of rephrasing questions, not included above; absent when no model was asked to. */
    rewriting: sideUsageSchema.optional(),
    /** Calls repeated after a temporary fault, over all trials. */
    retries: wholeNumber(),
    /** Milliseconds per trial; null when no trial has a time. */
    latency: z.object({ n: positiveInt(), ...percentilesSchema.shape }).nullable(),
  }),
);
export type UsageSummary = z.infer<typeof usageSummarySchema>;

/** The usage of models besides the target, which play its users or rewrite their questions. */
const sideUsageSchema = z.lazy(() =>
  z.object({
    /** Trials in which such a model was called. */
    trials: positiveInt(),
    inputTokens: totalSchema,
    outputTokens: totalSchema,
    /** Cost in US dollars. */
    cost: totalSchema,
  }),
);
export type SideUsage = z.infer<typeof sideUsageSchema>;

/** The usage and cost of judging a run, separate from the usage of its targets. */
export const judgeSummarySchema = z.lazy(() =>
  z.object({
    /** Judgements that the run requested and paid for. */
    asked: wholeNumber(),
    /** Judgements reused from earlier runs, at no cost. */
    cached: wholeNumber(),
    /** Verdicts that are missing because a judge failed. */
    failed: wholeNumber(),
    /** Model calls of the run, including those without a usable reply. */
    calls: wholeNumber(),
    inputTokens: totalSchema,
    outputTokens: totalSchema,
    /** Cost in US dollars. */
    cost: totalSchema,
  }),
);
export type JudgeSummary = z.infer<typeof judgeSummarySchema>;

/** The calls on one account, that is one address and key, during a run. */
export const accountRecordSchema = z.lazy(() =>
  z.object({
    /** Address and name of the key, without secrets. */
    account: z.string(),
    /** Requests sent, repeats included. */
    requests: wholeNumber(),
    /** Requests refused because of a rate limit or overload. */
    refused: wholeNumber(),
    /** Total milliseconds that calls waited for their turn; not part of any latency. */
    waitedMs: amount(),
    /** Changes of the limit in order; when there are too many, some in the middle are dropped. */
    limits: z.array(limitStepSchema),
    /** The notices of what its requests lack because the server refuses it, once each; absent when nothing was. */
    notices: z.array(z.string()).optional(),
  }),
);
export type AccountRecord = z.infer<typeof accountRecordSchema>;

/**
 * The reason for a limit of calls in flight on an account: `start`, `growing` while answers arrive, `rate-limited` or
 * `overloaded` after too many refusals, `restored` when a lower limit was refused just as often.
 */
const limitReasonSchema = z.enum(['start', 'growing', 'rate-limited', 'overloaded', 'restored']);
export type LimitReason = z.infer<typeof limitReasonSchema>;

/** A change of the limit of calls in flight: the time, the new limit and the reason. */
const limitStepSchema = z.lazy(() =>
  z.object({
    at: z.iso.datetime(),
    limit: positiveInt(),
    reason: limitReasonSchema,
  }),
);
export type LimitStep = z.infer<typeof limitStepSchema>;

/** Largest number of steps in a record. */
const mostLimitSteps = 64;

/** Shortens a history that is too long by a step from its middle: its beginning and end are the most informative. */
export function dropMiddleSteps(steps: LimitStep[]): void {
  if (steps.length > mostLimitSteps) steps.splice(mostLimitSteps / 2, steps.length - mostLimitSteps);
}

/** The answers with a verdict of a judge, and how many of them it passes. */
export const judgedSchema = z.lazy(() =>
  z.object({
    answers: wholeNumber(),
    passes: wholeNumber(),
    /** The share of passes by the weights of the cases; absent where all weigh the same. */
    rate: z.number().optional(),
  }),
);
