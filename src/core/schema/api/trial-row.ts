import { z } from 'zod';
import type { TrialOutcome } from '../result.ts';
import { amount, positiveInt, wholeNumber } from '../json.ts';

/** The greatest number of characters of a question or an answer in a row. */
export const excerptLength = 160;

/** The outcome of a trial; see `TrialOutcome`. */
export const trialOutcomeSchema = z.enum([
  'passed',
  'failed',
  'error',
  'not-measured',
  'unscored',
]) satisfies z.ZodType<TrialOutcome>;

const count = wholeNumber().nullable();

/** A trial in a list. Anything unknown is null. */
export const trialRowSchema = z.lazy(() =>
  z.object({
    /** The place in the plan of the run, from 0: ordered by case, then target, then attempt. */
    ordinal: wholeNumber(),
    /** The place of the case in the dataset, from 0. */
    position: wholeNumber(),
    caseId: z.string(),
    /** The category; `uncategorized` for a case without one. */
    category: z.string(),
    tags: z.array(z.string()),
    target: z.string(),
    /** Counts from 1. */
    attempt: positiveInt(),
    status: z.enum(['completed', 'failed', 'cancelled']),
    /** The result as which the trial counts. */
    result: trialOutcomeSchema,
    errorCode: z.string().nullable(),
    passed: z.boolean().nullable(),
    /** The total of the scorecard, in [0, 1]. */
    total: z.number().nullable(),
    grade: z.string().nullable(),
    /** The outcome that the scorecard gives. */
    outcome: z.string().nullable(),
    /** Cost in US dollars. */
    cost: amount().nullable(),
    latencyMs: amount().nullable(),
    /** The number of messages that the target wrote, tool calls included. */
    steps: count,
    toolCalls: count,
    /** The number of calls of the target that were repeated after a temporary fault. */
    retries: wholeNumber(),
    inputTokens: count,
    outputTokens: count,
    /** The value by metric; null where the metric could not be measured, absent where it does not apply. */
    metrics: z.record(z.string(), z.number().nullable()),
    /** The first characters of the question. */
    question: z.string(),
    /** The first characters of the answer. */
    answer: z.string().nullable(),
    /** The results of all attempts of the same target at the same case, in order; null where one was not made. */
    attempts: z.array(trialOutcomeSchema.nullable()),
  }),
);
/** A trial in a list. Anything unknown is null. */
export type TrialRow = z.infer<typeof trialRowSchema>;

/** A part of a list of trials. */
export const trialListSchema = z.lazy(() =>
  z.object({
    rows: z.array(trialRowSchema),
    /** The place after which the list goes on; null at its end. */
    next: z.string().nullable(),
  }),
);
/** A part of a list of trials. */
export type TrialList = z.infer<typeof trialListSchema>;
