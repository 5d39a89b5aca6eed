import { z } from 'zod';
import { jsonSchema, nonEmpty } from '../json.ts';
import { decisionOutcomeSchema, proposalDecisionSchema, proposalExportSchema } from '../proposal/decision.ts';
import { proposalStates } from '../proposal/kept-proposal.ts';
import { pickReasonSchema, proposalSchema } from '../proposal/proposal.ts';
import { personSchema, recordIdSchema } from '../review/label.ts';
import { lintFindingSchema } from './lint-finding.ts';

/** A proposal in a list. */
const proposalRowSchema = z.object({
  id: z.string(),
  state: z.enum(proposalStates),
  question: z.string(),
  reason: pickReasonSchema,
  dataset: z.string(),
});

/** The answer to `GET /api/proposals`: all proposals, in the order in which they were made. */
export const proposalListSchema = z.object({
  proposals: z.array(proposalRowSchema),
  /** The person who is signed in, or who started the server; absent when not known. */
  person: personSchema.optional(),
  /** True when the person is signed in, and can decide under that name only. */
  isSignedIn: z.literal(true).optional(),
});
export type ProposalList = z.infer<typeof proposalListSchema>;

/** The answer to `GET /api/proposals/:proposal`. */
export const proposalViewSchema = z.lazy(() =>
  z.object({
    proposal: proposalSchema,
    decisions: z.array(proposalDecisionSchema),
    exports: z.array(proposalExportSchema),
    state: z.enum(proposalStates),
    /** The findings of lint about the case, with all expectations while it is open; null where it could not be checked. */
    findings: z.array(lintFindingSchema).nullable(),
    /** The reason why it could not be checked. */
    unchecked: z.string().optional(),
    /** True when the trace that it was made from is still in the store. */
    hasTrace: z.boolean(),
    /** The answer in this trace, cut where it is long, and the tools that were used; absent without a trace. */
    answered: z.object({ answer: z.string().nullable(), tools: z.array(z.string()) }).optional(),
  }),
);
export type ProposalView = z.infer<typeof proposalViewSchema>;

/** The body of `POST /api/proposals`: a question of a run as a person has edited it. */
export const proposeRequestSchema = z.lazy(() =>
  z.strictObject({
    person: personSchema,
    run: nonEmpty().max(200),
    /** The id of the question. */
    id: nonEmpty(),
    question: nonEmpty().optional(),
    expected: z.record(z.string(), jsonSchema),
  }),
);
export type ProposeRequest = z.infer<typeof proposeRequestSchema>;

/** The body of `POST /api/proposals/:proposal/decisions`. */
export const decisionRequestSchema = z.lazy(() =>
  z.strictObject({
    person: personSchema,
    outcome: decisionOutcomeSchema,
    note: nonEmpty().max(20_000).optional(),
    /** A unique text; a request that is sent again with it counts once. */
    id: recordIdSchema,
  }),
);
