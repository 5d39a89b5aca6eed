import { proposalListSchema, proposalViewSchema } from '../../../../src/core/schema/api/proposals.ts';
import { useAnswer } from '../use-answer.ts';

/** Returns the address of a proposal under `/api`. */
export function proposalPath(id: string): string {
  return `/proposals/${encodeURIComponent(id)}`;
}

/** Asks for all proposals of the store. */
export function useProposals() {
  return useAnswer('/proposals', proposalListSchema, { pollMs: 10_000 });
}

/** Asks for a proposal with what lint finds about it. */
export function useProposal(id: string) {
  return useAnswer(proposalPath(id), proposalViewSchema);
}
