import { z } from 'zod';
import { proposalStates } from '../proposal/kept-proposal.ts';
import { positiveInt, wholeNumber } from '../json.ts';

/** The result of one trial of a run on a case that was made of a trace. */
const laterResultSchema = z.object({
  run: z.string(),
  /** ISO 8601. */
  createdAt: z.string(),
  ordinal: wholeNumber(),
  target: z.string(),
  attempt: positiveInt(),
  status: z.string(),
  /** The total of the scorecard, from 0 to 1; null where it was not measured. */
  score: z.number().nullable(),
  passed: z.boolean().nullable(),
});
export type LaterResult = z.infer<typeof laterResultSchema>;

/** A proposal made of a trace, with its case and how runs did on it. */
const traceProposalSchema = z.object({
  id: z.string(),
  dataset: z.string(),
  state: z.enum(proposalStates),
  /** The id of the case in the dataset; null before it was written there. */
  caseId: z.string().nullable(),
  /** The newest run first. */
  results: z.array(laterResultSchema),
});
export type TraceProposal = z.infer<typeof traceProposalSchema>;

/** A stored trace with everything that is known of it. */
export const describedTraceSchema = z.lazy(() =>
  z.object({
    traceId: z.string(),
    conversation: z.string().nullable(),
    user: z.object({ key: z.string(), hash: z.string() }).nullable(),
    startedAt: z.string().nullable(),
    receivedAt: z.string(),
    openUntil: z.string(),
    spans: wholeNumber(),
    /** Null where it was not recorded; likewise the answer. */
    question: z.string().nullable(),
    answer: z.string().nullable(),
    /** The tools that were used for the answer and did not fail. */
    tools: z.array(z.string()),
    /** In US dollars. */
    cost: z.number().nullable(),
    tokens: z.number().nullable(),
    latencyMs: z.number().nullable(),
    error: z.string().nullable(),
    evaluations: z.record(z.string(), z.union([z.number(), z.string()])),
    /** The spans, in the order in which they began. Times are milliseconds since 1970. */
    steps: z.array(
      z.object({
        spanId: z.string(),
        parentId: z.string().nullable(),
        name: z.string(),
        startMs: z.number().nullable(),
        endMs: z.number().nullable(),
        error: z.string().nullable(),
      }),
    ),
    feedback: z.array(
      z.object({
        id: z.string(),
        at: z.string(),
        signal: z.string(),
        value: z.union([z.string(), z.number(), z.boolean()]).optional(),
        text: z.string().optional(),
      }),
    ),
    proposals: z.array(traceProposalSchema),
  }),
);
export type DescribedTrace = z.infer<typeof describedTraceSchema>;

const traceRowSchema = z.object({
  traceId: z.string(),
  /** The start of its first span, or the time when that came in; ISO 8601. */
  at: z.string(),
  /** The beginning of the question; null where it was not recorded. Likewise the answer. */
  question: z.string().nullable(),
  answer: z.string().nullable(),
  /** The error of the bot; null where there was none. */
  error: z.string().nullable(),
  /** In US dollars. */
  cost: z.number().nullable(),
  latencyMs: z.number().nullable(),
  /** Reactions of users, such as `thumb down`. */
  reactions: z.array(z.string()),
  /** The number of cases that were proposed of it. */
  proposals: wholeNumber(),
});
export type TraceRow = z.infer<typeof traceRowSchema>;

/** The newest traces of a store, the newest first, and the number of all. */
export const traceListSchema = z.lazy(() =>
  z.object({ traces: z.array(traceRowSchema), count: wholeNumber() }),
);
export type TraceList = z.infer<typeof traceListSchema>;
