import { z } from 'zod';
import { jsonSchema, wholeNumber } from '../json.ts';
import { judgementSchema } from '../judgement.ts';
import { messageSchema } from '../message.ts';
import { resultSchema } from '../result.ts';
import { runSchema } from '../run.ts';
import { trialOutcomeSchema, trialRowSchema } from './trial-row.ts';

/** A text or a list of which only the beginning was sent. */
export const cutSchema = z.lazy(() =>
  z.object({
    /** The place: `/result/trial/answer`, as a JSON pointer. */
    path: z.string(),
    /** The whole length: characters of a text, entries of a list or an object. */
    length: wholeNumber(),
  }),
);
/** A text or a list of which only the beginning was sent. */
export type Cut = z.infer<typeof cutSchema>;

/** A trial with everything that is known about it. Long texts and lists are cut. */
export const trialViewSchema = z.lazy(() =>
  z.object({
    run: runSchema().omit({ summary: true }),
    result: resultSchema,
    /** The number of messages of the transcript, of which the first were sent. */
    messages: wholeNumber(),
    /** The place of the case in its dataset, `file:line`. */
    place: z.string(),
    /** All trials of the case in the run: of every target, every attempt. */
    trials: z.array(trialRowSchema),
    cuts: z.array(cutSchema),
    /** The folder of the store, as `--store` takes it; absent when a command finds the store without it. */
    storeFolder: z.string().optional(),
  }),
);
/** A trial with everything that is known about it. Long texts and lists are cut. */
export type TrialView = z.infer<typeof trialViewSchema>;

/** The next messages of a transcript. */
export const messagePartSchema = z.lazy(() =>
  z.object({ messages: z.array(messageSchema), cuts: z.array(cutSchema) }),
);

/** The questions to judges that the verdicts on a trial are based on. */
export const trialJudgementsSchema = z.lazy(() =>
  z.object({ judgements: z.array(judgementSchema), cuts: z.array(cutSchema) }),
);

/** A part of a trial that was cut, whole. */
export const trialPartSchema = z.object({ value: jsonSchema });

/** The results of the same case, by the hash of its content, in other runs; the newest first. */
export const caseInOtherRunsSchema = z.lazy(() =>
  z.object({
    runs: z.array(
      z.object({
        run: z.string(),
        createdAt: z.string(),
        description: z.string().optional(),
        targets: z.array(
          z.object({
            target: z.string(),
            /** The ordinal of the first attempt. */
            ordinal: wholeNumber(),
            /** The mean total of the attempts that have one; null without one. */
            total: z.number().nullable(),
            attempts: z.array(trialOutcomeSchema),
          }),
        ),
      }),
    ),
  }),
);
/** The results of the same case, by the hash of its content, in other runs; the newest first. */
export type CaseInOtherRuns = z.infer<typeof caseInOtherRunsSchema>;
