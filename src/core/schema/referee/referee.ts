import { z } from 'zod';
import { nonEmpty, positiveInt, wholeNumber } from '../json.ts';

/** The schema of the `referee` setting. */
export const refereeSettingSchema = z.lazy(() =>
  z.strictObject({
    heldOut: nonEmpty().describe(
      'The folder of the held-out set, outside the repository, relative to the config file.',
    ),
    looks: z.int().min(1).max(1000).default(20).describe('How often the set may be asked about in its life.'),
    surprises: z
      .int()
      .min(1)
      .max(10)
      .default(3)
      .describe('Answers other than the expected one, after which the set is spent.'),
    confidence: z
      .number()
      .min(0.5)
      .max(0.9999)
      .default(0.95)
      .describe('The chance that no answer in the life of the set is false.'),
    measure: z
      .enum(['passed', 'score'])
      .default('passed')
      .describe('What is compared: which questions pass, or their scores, which needs more questions.'),
  }),
);
/** The `referee` setting of a config, with its defaults. */
export type RefereeSetting = z.output<typeof refereeSettingSchema>;

/** A version of a target: its name in the config, what it is called, and the fingerprint of all that its answers depend on. */
export const versionSchema = z.object({ target: z.string(), label: z.string(), fingerprint: z.string() });
export type TargetVersion = z.infer<typeof versionSchema>;

/** The claim of a look. */
export const claimSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('improvement') }),
  z.object({ kind: z.literal('no-regression'), margin: z.number().positive().lt(1) }),
]);

/** The answers of a look. A withdrawn one says nothing about the versions. */
export const lookAnswerSchema = z.enum(['confirmed', 'not-confirmed', 'shown', 'not-shown', 'withdrawn']);
export type LookAnswer = z.infer<typeof lookAnswerSchema>;

/** The rules that are frozen when a held-out set is made. */
const setSchema = z.object({
  looks: positiveInt(),
  surprises: positiveInt(),
  confidence: z.number(),
  measure: z.enum(['passed', 'score']),
  /** True when each unit has the value 0 or 1; false with attempts that are averaged, and with clusters of several questions. */
  isBinary: z.boolean(),
  questions: positiveInt(),
  /** The number of clusters and of questions without one. */
  units: positiveInt(),
  /** The hash of the file with the questions. */
  content: z.string(),
  /** Which set of this folder it is: 1, 2, … */
  set: positiveInt(),
  /** The rules by which answers are scored, by part: fingerprints of the scorecard, of each metric with its judge, and so on. */
  rules: z.record(z.string(), z.string()),
});
export type HeldOutSet = z.infer<typeof setSchema>;

const when = { at: z.iso.datetime(), by: z.string() };

/** An event in the life of a held-out set. */
export const refereeEventSchema = z.discriminatedUnion('event', [
  z.object({ event: z.literal('set'), ...when, ...setSchema.shape }),
  /** A version that candidates are compared with, and the name of the run that has its answers. */
  z.object({ event: z.literal('incumbent'), ...when, version: versionSchema, run: z.string() }),
  z.object({
    event: z.literal('look'),
    ...when,
    look: positiveInt(),
    claim: claimSchema,
    candidate: versionSchema,
    incumbent: versionSchema,
    /** The answers of the incumbent: recorded ones, or asked for again; `gone`: they are old, and nothing is it any more. */
    asks: z.enum(['recorded', 'again', 'gone']),
    units: positiveInt(),
    level: z.number(),
    expected: lookAnswerSchema,
  }),
  z.object({ event: z.literal('answer'), ...when, look: positiveInt(), answer: lookAnswerSchema }),
  /** Fresh questions were added. */
  z.object({
    event: z.literal('questions'),
    ...when,
    questions: positiveInt(),
    units: positiveInt(),
    content: z.string(),
  }),
  /** A person has opened the set, which ends it. */
  z.object({ event: z.literal('opened'), ...when }),
]);
export type RefereeEvent = z.infer<typeof refereeEventSchema>;

/** An event with its place in the chain of the ledger. */
export const refereeEntrySchema = z.intersection(
  refereeEventSchema,
  z.object({ number: positiveInt(), previous: z.string(), hash: z.string() }),
);
export type RefereeEntry = z.infer<typeof refereeEntrySchema>;

/** A line of `touchstone.looks.jsonl`: what the workspace saw, which a ledger cut later does not have. */
export const seenLookSchema = z.object({
  set: positiveInt(),
  look: wholeNumber(),
  candidate: z.string(),
  answer: z.string(),
  at: z.string(),
  /** The number and the hash of the last entry of the ledger. */
  entries: positiveInt(),
  head: z.string(),
});
export type SeenLook = z.infer<typeof seenLookSchema>;
