import { z } from 'zod';
import { expectedSchema } from '../../expected.ts';
import { verdictSchema } from '../../verdict.ts';
import { trialOutcomeSchema } from '../trial-row.ts';
import { amount, positiveInt, wholeNumber } from '../../json.ts';

/** The greatest number of characters of a text in a comparison of answers. */
export const pairedTextLength = 20_000;

/** An attempt at a case, without its transcript. */
const pairedAttemptSchema = z.lazy(() =>
  z.object({
    ordinal: wholeNumber(),
    /** Counts from 1. */
    attempt: positiveInt(),
    result: trialOutcomeSchema,
    total: z.number().nullable(),
    grade: z.string().nullable(),
    /** The beginning of the answer; null without one. */
    answer: z.string().nullable(),
    /** The number of characters of the whole answer. */
    answerLength: wholeNumber(),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    latencyMs: amount().nullable(),
    cost: amount().nullable(),
    /** The names of the tools that were called, in order; null when they are unknown. */
    tools: z.array(z.string()).nullable(),
    verdicts: z.record(z.string(), verdictSchema),
  }),
);
/** An attempt at a case, without its transcript. */
export type PairedAttempt = z.infer<typeof pairedAttemptSchema>;

/** The attempts at a case in one run of a pair. */
const pairedSideSchema = z.lazy(() =>
  z.object({
    run: z.string(),
    target: z.string(),
    /** In order; empty when none was made. */
    attempts: z.array(pairedAttemptSchema),
  }),
);
/** The attempts at a case in one run of a pair. */
export type PairedSide = z.infer<typeof pairedSideSchema>;

/** A case with the answers of two runs. */
export const pairedCaseSchema = z.lazy(() =>
  z.object({
    /** The id of the case in run B. */
    caseId: z.string(),
    category: z.string(),
    question: z.string(),
    expected: expectedSchema,
    a: pairedSideSchema,
    b: pairedSideSchema,
  }),
);
/** A case with the answers of two runs. */
export type PairedCase = z.infer<typeof pairedCaseSchema>;
