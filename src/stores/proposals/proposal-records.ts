import type { ProposalDecision, ProposalExport } from '../../core/schema/proposal/decision.ts';
import type { KeptProposal, ProposalState } from '../../core/schema/proposal/kept-proposal.ts';
import type { Proposal } from '../../core/schema/proposal/proposal.ts';
import type { DocumentChange, DocumentStore } from '../documents/document-store.ts';
import { proposalKind } from '../kinds/proposal.ts';
import { type DecisionRules, proposalNotFound, requireDecision } from './admit-decision.ts';

/** The fate of proposals that were handed to a store. */
export interface AddedProposals {
  readonly added: number;
  /** The number of proposals that were stored before: their ids follow from their content. */
  readonly known: number;
}

/** The proposals to read; a proposal must meet all conditions. */
export interface ProposalChoice {
  readonly dataset?: string;
  readonly state?: ProposalState;
  /** The id of the trace that it was made from. */
  readonly traceId?: string;
}

/** Returns the query for the proposals of a choice. */
export function queryOf({ dataset, state, traceId }: ProposalChoice) {
  return { where: { dataset, state, trace_id: traceId } };
}

/** Adds proposals, all of them or none. One that is stored already is skipped. */
export async function addProposals(
  documents: DocumentStore,
  proposals: readonly Proposal[],
): Promise<AddedProposals> {
  return await documents.change([proposalKind], async (change) => {
    const kept = proposals.map((proposal) => ({ proposal, decisions: [], exports: [] }));
    const known = await change.add(proposalKind, kept);
    return { added: kept.length - known.length, known: known.length };
  });
}

/**
 * Stores a decision. One that is stored already is no error, so that a caller who never got an answer can send it again.
 * Throws `proposal-not-found`, and `proposal-refused` when the decision is not admitted.
 */
export async function storeDecision(
  documents: DocumentStore,
  decision: ProposalDecision,
  rules: DecisionRules,
): Promise<void> {
  await documents.change([proposalKind], async (change) => {
    const kept = await require(change, decision.proposal);
    if (kept.decisions.some(({ id }) => id === decision.id)) return;
    requireDecision(kept, decision, rules);
    await change.put(proposalKind, [{ ...kept, decisions: inOrder([...kept.decisions, decision]) }]);
  });
}

/** Stores that approved cases were written to files. Returns the number of those that were not stored before. */
export async function addExports(
  documents: DocumentStore,
  exports: readonly ProposalExport[],
): Promise<number> {
  return await documents.change([proposalKind], async (change) => {
    let added = 0;
    for (const each of exports) {
      const kept = await require(change, each.proposal);
      if (kept.exports.some(({ id }) => id === each.id)) continue;
      await change.put(proposalKind, [{ ...kept, exports: inOrder([...kept.exports, each]) }]);
      added += 1;
    }
    return added;
  });
}

/** Removes the given proposals, with their decisions and exports. Returns the number of proposals. */
export async function eraseProposals(documents: DocumentStore, ids: readonly string[]): Promise<number> {
  if (ids.length === 0) return 0;
  return await documents.change([proposalKind], async (change) => {
    let erased = 0;
    for (const id of ids) erased += await change.remove(proposalKind, { where: { id } });
    return erased;
  });
}

async function require(change: DocumentChange, id: string): Promise<KeptProposal> {
  const kept = await change.get(proposalKind, [id]);
  if (kept === undefined) throw proposalNotFound(id);
  return kept;
}

/** Sorts events by time, then by id. */
function inOrder<Each extends { readonly at: string; readonly id: string }>(events: readonly Each[]): Each[] {
  const place = ({ at, id }: Each) => `${at} ${id}`;
  return events.toSorted((one, other) => (place(one) < place(other) ? -1 : 1));
}
