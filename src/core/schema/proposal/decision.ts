import { z } from 'zod';
import { jsonSchema, nonEmpty, wholeNumber } from '../json.ts';
import { personSchema, recordIdSchema } from '../review/label.ts';
import { proposalIdSchema, proposedCaseSchema, proposedFieldSchema } from './proposal.ts';

/** An expectation that a person has ticked, with the value as it was approved. */
const tickedExpectationSchema = z.object({
  /** The place of the expectation in the proposal, from 0; null for one that the approver has written. */
  expectation: wholeNumber().nullable(),
  field: proposedFieldSchema,
  value: jsonSchema,
});
export type TickedExpectation = z.infer<typeof tickedExpectationSchema>;

/**
 * The outcome of a decision. `withdrawn` takes the decision before it back, after which the proposal is open again. An
 * approved case is the one that enters the dataset: as edited, with the ticked expectations and no others.
 */
export const decisionOutcomeSchema = z.lazy(() =>
  z.discriminatedUnion('status', [
    z.object({
      status: z.literal('approved'),
      case: proposedCaseSchema,
      expectations: z.array(tickedExpectationSchema).max(1000),
    }),
    z.object({ status: z.literal('rejected') }),
    z.object({ status: z.literal('withdrawn') }),
  ]),
);
export type DecisionOutcome = z.infer<typeof decisionOutcomeSchema>;

/** A person's decision on a proposal: an event that never changes. */
export const proposalDecisionSchema = z.lazy(() =>
  z.object({
    id: recordIdSchema,
    proposal: proposalIdSchema,
    outcome: decisionOutcomeSchema,
    by: z.object({ person: personSchema }),
    /** ISO 8601. */
    at: z.iso.datetime(),
    note: nonEmpty().max(20_000).optional(),
  }),
);
export type ProposalDecision = z.infer<typeof proposalDecisionSchema>;

/** The part of a dataset that a case was written to: the set itself, or the part that is held out of it. */
const proposalPartSchema = z.enum(['golden', 'held-out']);
export type ProposalPart = z.infer<typeof proposalPartSchema>;

/** The writing of an approved case to a file: an event that never changes. */
export const proposalExportSchema = z.object({
  id: recordIdSchema,
  proposal: proposalIdSchema,
  decision: recordIdSchema,
  /** The path of the file, as the user named it. */
  file: nonEmpty(),
  /** The id of the case in the file. */
  caseId: nonEmpty(),
  part: proposalPartSchema,
  /** ISO 8601. */
  at: z.iso.datetime(),
});
export type ProposalExport = z.infer<typeof proposalExportSchema>;
