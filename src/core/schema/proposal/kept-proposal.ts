import type { ProposalDecision, ProposalExport } from './decision.ts';
import type { Proposal } from './proposal.ts';

/**
 * The states of a proposal, which follow from its decisions and exports. This file makes no schemas, since the help of
 * the command line lists these states.
 */
export const proposalStates = ['open', 'approved', 'rejected', 'exported'] as const;
export type ProposalState = (typeof proposalStates)[number];

/** A proposal with everything that happened to it. */
export interface KeptProposal {
  readonly proposal: Proposal;
  /** In the order in which they were made. */
  readonly decisions: readonly ProposalDecision[];
  readonly exports: readonly ProposalExport[];
}

/** Returns the decision in force; undefined while a proposal is open. */
export function decisionInForce({
  decisions,
}: Pick<KeptProposal, 'decisions'>): ProposalDecision | undefined {
  const last = decisions.at(-1);
  return last?.outcome.status === 'withdrawn' ? undefined : last;
}

/** Returns the state of a proposal. It is exported once the decision in force was written to a file. */
export function stateOf(kept: Pick<KeptProposal, 'decisions' | 'exports'>): ProposalState {
  const decision = decisionInForce(kept);
  if (decision === undefined || decision.outcome.status === 'withdrawn') return 'open';
  if (decision.outcome.status === 'rejected') return 'rejected';
  return kept.exports.some((each) => each.decision === decision.id) ? 'exported' : 'approved';
}
