import { z } from 'zod';
import { gateOutcomeSchema } from '../decision.ts';
import { estimateSchema } from '../estimate.ts';
import { gitStateSchema } from '../git-state.ts';
import { failedAgainSchema } from '../selection.ts';
import { amount, positiveInt, wholeNumber } from '../json.ts';

const count = wholeNumber();

/** The headline of one target of a run. */
export const targetHeadSchema = z.lazy(() =>
  z.object({
    target: z.string(),
    /** The cases that failed before and were asked again, in place of a score of the whole set. */
    failedAgain: failedAgainSchema.optional(),
    score: estimateSchema,
    /** The score that people would give, or why it is not known; absent where the score rests on no certified judge. */
    corrected: estimateSchema.optional(),
    notCorrected: z.string().optional(),
    passRate: estimateSchema,
    coverage: z.number(),
    /** The number of trials that were planned and needed, of those with a total, and of those that ended in errors. */
    counts: z.object({ planned: count, measured: count, errors: count }),
  }),
);

/** The headline of one target of a run. */
export type TargetHead = z.infer<typeof targetHeadSchema>;

/** The decision of a run's gate, as a list shows it. */
const decisionHeadSchema = z.object({
  outcome: gateOutcomeSchema,
  /** False when the run has no gate, so that its outcome decides nothing. */
  isGated: z.boolean(),
});

/** Returns the schema of a run's head, to which the page of runs adds what it knows of the process. */
export const runHeadObject = () =>
  z.object({
    id: z.string(),
    status: z.enum(['planning', 'running', 'interrupted', 'completed']),
    createdAt: z.string(),
    /** The time of the import, when `createdAt` is the time of recorded answers. */
    importedAt: z.string().optional(),
    finishedAt: z.string().optional(),
    description: z.string().optional(),
    name: z.string().optional(),
    note: z.string().optional(),
    tags: z.record(z.string(), z.string()).optional(),
    failedOf: z.string().optional(),
    continues: z.string().optional(),
    rescoredFrom: z.string().optional(),
    isImporting: z.literal(true).optional(),
    isSent: z.literal(true).optional(),
    git: gitStateSchema.optional(),
    dataset: z.object({ sources: z.array(z.string()), hash: z.string(), cases: count }),
    /** The number of targets, those under a condition included; attempts at each case by each of them. */
    targetCount: count,
    attempts: positiveInt(),
    /** The names of the targets without a condition. */
    targets: z.array(z.string()),
    /** The least total that passes; null without a scorecard. */
    passMark: z.number().nullable(),
    /** The headlines of the targets without a condition; null until the run has a summary. */
    headlines: z.array(targetHeadSchema).nullable(),
    /** The decision of the gate; null until the run has a summary. */
    decision: decisionHeadSchema.nullable(),
    /** Expectations of the cases that no metric reads, in the words of the headline; absent when the scores cover all. */
    unread: z.array(z.string()).min(1).optional(),
    /** The cost of targets, judges and simulated users in US dollars, as far as it was reported; null when nothing was. */
    cost: amount().nullable(),
  });
export const runHeadSchema = z.lazy(runHeadObject);
/** The part of a run that a list shows: without its settings and its summary. */
export type RunHead = z.infer<typeof runHeadSchema>;

/** The longest name, note and value of a tag of a run, in characters: they stand in tables and titles. */
export const longestLabel = { name: 80, note: 1000, tag: 200 } as const;

/** One change of the name, the note and the tags of a run: who made it, when, and what they are since. */
const runEditSchema = z.object({
  at: z.iso.datetime(),
  /** The person who made it, where that is known. */
  by: z.string().optional(),
  name: z.string().optional(),
  note: z.string().optional(),
  tags: z.record(z.string(), z.string()).optional(),
});

/** The name, the note and the tags that people gave a run after it was begun. The record of the run keeps those that it was started with. */
export const runEditsSchema = z.object({
  run: z.string(),
  /** The changes, the oldest first; the last one holds. */
  edits: z.array(runEditSchema).min(1),
});
export type RunEdits = z.infer<typeof runEditsSchema>;

/** A change of the name, the note and the tags of a run: an absent member stays as it is, and null or an empty text removes. */
export const runLabelChangeSchema = z.strictObject({
  name: z.string().nullable().optional(),
  note: z.string().nullable().optional(),
  /** The tags to set, and those to remove; the other tags stay. */
  tags: z.record(z.string(), z.string().nullable()).optional(),
});
export type RunLabelChange = z.infer<typeof runLabelChangeSchema>;
