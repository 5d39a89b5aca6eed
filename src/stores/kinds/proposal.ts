import { z } from 'zod';
import { proposalDecisionSchema, proposalExportSchema } from '../../core/schema/proposal/decision.ts';
import { type KeptProposal, stateOf } from '../../core/schema/proposal/kept-proposal.ts';
import { proposalSchema } from '../../core/schema/proposal/proposal.ts';
import { defineKind } from '../documents/kind.ts';

const keptProposalSchema: z.ZodType<KeptProposal> = z.lazy(() =>
  z.object({
    proposal: proposalSchema,
    decisions: z.array(proposalDecisionSchema),
    exports: z.array(proposalExportSchema),
  }),
);

/** The proposed changes of datasets, each with the decisions on it and the files that its case was written to: events that never change. */
export const proposalKind = defineKind({
  name: 'proposal',
  table: 'proposals',
  about: 'Proposed changes of datasets, each with its decisions and the files it was written to.',
  schema: () => keptProposalSchema,
  columns: {
    id: ['text', ({ proposal }) => proposal.id],
    dataset: ['text', ({ proposal }) => proposal.dataset],
    made_at: ['text', ({ proposal }) => proposal.at],
    source: ['text', ({ proposal }) => proposal.source.type],
    trace_id: ['text?', ({ proposal: { source } }) => (source.type === 'trace' ? source.traceId : null)],
    state: ['text', stateOf],
  },
  order: ['made_at', 'id'],
  indexes: [{ on: ['made_at', 'id'] }, { on: ['trace_id'] }],
  describe: ({ id, made_at: at }) => `proposal ${id} of ${at}`,
});
