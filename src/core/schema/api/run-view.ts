import { z } from 'zod';
import { runSchema } from '../run.ts';
import { summarySchema } from '../summary.ts';
import { trialOutcomeSchema } from './trial-row.ts';
import { runProgressSchema, runStateSchema } from './run-row.ts';
import { positiveInt, wholeNumber } from '../json.ts';

/** A sentence of own words and quoted names; `Phrase` of the reports. */
const phraseSchema = z.array(
  z.union([z.string(), z.object({ quoted: z.string(), isText: z.boolean().optional() })]),
);

/** A problem worth looking at; `Advice` of the reports. */
const adviceSchema = z.lazy(() =>
  z.object({
    title: phraseSchema,
    facts: z.array(phraseSchema),
    hint: z.string(),
    ids: z.array(z.string()),
  }),
);

/** A question that did not pass; `FailedQuestion` of the reports. */
const failingSchema = z.lazy(() =>
  z.object({
    id: z.string(),
    question: z.string(),
    outcomes: z.array(trialOutcomeSchema.nullable()),
    ordinal: wholeNumber(),
    target: z.string(),
    said: z.string().nullable(),
    lacks: phraseSchema,
    /** The number of other questions that ended alike; absent without any. */
    alike: positiveInt().optional(),
  }),
);

/** A run with its numbers, for the page of the run. */
export const runViewSchema = z.lazy(() =>
  z.object({
    run: runSchema().omit({ summary: true }),
    state: runStateSchema,
    /** Null while the run is under way. */
    summary: summarySchema.nullable(),
    progress: runProgressSchema.optional(),
    /** The problems to look at first, for each target without a condition. */
    advice: z.array(
      z.object({
        target: z.string(),
        items: z.array(adviceSchema),
        /** The number of questions of which an attempt did not pass. */
        notPassed: wholeNumber(),
      }),
    ),
    /** The questions to look at first, the worst first; `FailingQuestion` of the reports. */
    failing: z.array(failingSchema),
    /** The texts of the questions that the advice and the contradictions of metrics name, by id. */
    questions: z.record(z.string(), z.string()),
    /** The folder of the store, as `--store` takes it; absent when a command finds the store without it. */
    storeFolder: z.string().optional(),
  }),
);
export type RunView = z.infer<typeof runViewSchema>;
