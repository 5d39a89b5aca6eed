import { z } from 'zod';
import { conditionSchema } from '../condition.ts';
import { endingSchema } from '../conversation.ts';
import { reliabilitySchema } from '../estimate.ts';
import { runStateSchema } from './run-row.ts';
import { positiveInt, wholeNumber } from '../json.ts';

const countSchema = wholeNumber();

/** One tool as a target used it. */
const toolRowSchema = z.lazy(() =>
  z.object({
    tool: z.string(),
    /** Trials of cases that expect the tool, trials that called it, and trials that lack it although it is expected. */
    expected: countSchema,
    used: countSchema,
    missing: countSchema,
    /** Trials in which a call of the tool failed, and trials in which one had wrong arguments. */
    failed: countSchema,
    wrong: countSchema,
    /** Calls in all, failed calls, and calls with wrong arguments. */
    calls: countSchema,
    failedCalls: countSchema,
    wrongCalls: countSchema,
  }),
);
export type ToolRow = z.infer<typeof toolRowSchema>;

/** Calls in one order, with the trials that made exactly these. */
const toolSequenceSchema = z.lazy(() =>
  z.object({
    /** The tools in the order in which they were called, as the field `calls` has them; null where none was. */
    calls: z.string().nullable(),
    trials: positiveInt(),
    /** Trials that are known to have passed or failed, and those that passed. */
    measured: wholeNumber(),
    passed: wholeNumber(),
  }),
);
export type ToolSequence = z.infer<typeof toolSequenceSchema>;

/** The number of trials with a value in a range: `from` belongs to it, `to` does not. */
const rangeCountSchema = z.object({
  from: z.number(),
  to: z.number().nullable(),
  count: wholeNumber(),
});
export type RangeCount = z.infer<typeof rangeCountSchema>;

/** The ways in which a target handled faults of one kind in one tool, by the label of the way. */
const faultRowSchema = z.lazy(() =>
  z.object({
    condition: conditionSchema,
    /** The name of the target under the condition. */
    target: z.string(),
    /** The tool that failed; null for all together. A trial counts for each tool in which it had a fault. */
    tool: z.string().nullable(),
    ways: z.record(z.string(), countSchema),
  }),
);
export type FaultRow = z.infer<typeof faultRowSchema>;

/** The conversations of a target. */
const conversationsSchema = z.lazy(() =>
  z.object({
    turns: z.array(rangeCountSchema),
    endings: z.array(z.object({ ending: endingSchema, trials: countSchema })),
    /** Trials that say nothing about the target because the simulated user was at fault, by kind. */
    spoilt: z.array(z.object({ kind: z.string(), reason: z.string(), trials: countSchema })),
  }),
);
export type Conversations = z.infer<typeof conversationsSchema>;

/** The tool calls of one target. */
const toolTargetSchema = z.lazy(() =>
  z.object({
    target: z.string(),
    /** Trials that were made, of them those with an answer, and those whose recording does not say which tools were used. */
    trials: wholeNumber(),
    answered: wholeNumber(),
    unknown: wholeNumber(),
    /** Answered trials with at least one call. */
    withCalls: wholeNumber(),
    /** True when a metric compared the arguments of calls. */
    hasArguments: z.boolean(),
    tools: z.array(toolRowSchema),
    /** The most frequent sequences. */
    sequences: z.array(toolSequenceSchema),
    /** Further sequences, and the trials that made them. */
    others: z.object({ sequences: wholeNumber(), trials: wholeNumber() }),
    steps: z.array(rangeCountSchema),
    latency: z.array(rangeCountSchema),
    faults: z.array(faultRowSchema),
    /** Absent when each case is tried once, or there is no scorecard. */
    reliability: reliabilitySchema.optional(),
    /** Null when no trial is a conversation. */
    conversations: conversationsSchema.nullable(),
  }),
);
export type ToolTarget = z.infer<typeof toolTargetSchema>;

/** The tool calls of a run, for each target without a condition. */
export const toolsViewSchema = z.lazy(() =>
  z.object({
    run: z.string(),
    state: runStateSchema,
    attempts: positiveInt(),
    hasScorecard: z.boolean(),
    targets: z.array(toolTargetSchema),
  }),
);
export type ToolsView = z.infer<typeof toolsViewSchema>;

/** The answer while a run that an earlier version stored is read whole, which is done once. */
export const toolsPreparationSchema = z.lazy(() => z.object({ isBeingPrepared: z.literal(true) }));
export type ToolsPreparation = z.infer<typeof toolsPreparationSchema>;
