import type { ProposalDecision, ProposalExport } from '../../core/schema/proposal/decision.ts';
import type { KeptProposal, ProposalState } from '../../core/schema/proposal/kept-proposal.ts';
import type { Proposal } from '../../core/schema/proposal/proposal.ts';

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

/** The rules by which a decision is admitted. */
export interface DecisionRules {
  /** True when people may approve what they have proposed themselves. */
  readonly isOwnAllowed: boolean;
}

/**
 * The part of a store for proposed cases and the decisions on them. None of these events changes. When the promise of a write
 * resolves, the data is stored, even if the process dies right afterwards. Methods that read throw `store-damaged` when a
 * record has changed since it was written, or when records are missing.
 */
export interface ProposalStore {
  /** Adds proposals, all of them or none. One that is stored already is left out. */
  add(proposals: readonly Proposal[]): Promise<AddedProposals>;
  /**
   * Stores a decision. One that is stored already is no error, so that a caller who never got an answer can send it again.
   * Throws `proposal-not-found`, and `proposal-refused` when `refuseDecision` refuses it.
   */
  decide(decision: ProposalDecision, rules: DecisionRules): Promise<void>;
  /** Stores that approved cases were written to files. Returns the number of those that were not stored before. */
  addExports(exports: readonly ProposalExport[]): Promise<number>;
  /** Returns a proposal with its decisions and exports; undefined when there is none of that id. */
  find(id: string): Promise<KeptProposal | undefined>;
  /**
   * Yields proposals in the order in which they were made, with their decisions and exports.
   * @param onLost - Called with a description of each damaged record, which is left out in place of the error.
   */
  read(choice?: ProposalChoice, onLost?: (what: string) => void): AsyncIterable<KeptProposal>;
  /** Removes the given proposals, with their decisions and the records of their exports. Returns the number of proposals. */
  erase(ids: readonly string[]): Promise<number>;
}
