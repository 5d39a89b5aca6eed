import { TouchstoneError } from '../../core/errors.ts';
import type { ProposalDecision } from '../../core/schema/proposal/decision.ts';
import { type KeptProposal, stateOf } from '../../core/schema/proposal/kept-proposal.ts';
import type { ProposalAuthor } from '../../core/schema/proposal/proposal.ts';

/** The rules by which a decision is admitted. */
export interface DecisionRules {
  /** True when people may approve what they have proposed themselves. */
  readonly isOwnAllowed: boolean;
}

/** The reasons for which a decision is not admitted. */
type Refusal = 'decided' | 'not-decided' | 'exported' | 'own' | 'unknown-expectation';

/**
 * Returns why a decision is not admitted now; undefined when it is. An open proposal can be approved or rejected, by default by
 * another person than its author. A decision can be taken back until its case was written to a file.
 */
function refuseDecision(
  kept: KeptProposal,
  { outcome, by }: Pick<ProposalDecision, 'outcome' | 'by'>,
  { isOwnAllowed }: DecisionRules,
): Refusal | undefined {
  const state = stateOf(kept);
  if (outcome.status === 'withdrawn') {
    if (state === 'exported') return 'exported';
    return state === 'open' ? 'not-decided' : undefined;
  }
  if (state !== 'open') return 'decided';
  if (outcome.status !== 'approved') return undefined;
  if (!isOwnAllowed && isAuthor(by.person, kept.proposal.by)) return 'own';
  const isKnown = outcome.expectations.every(
    ({ expectation, field }) =>
      expectation === null || kept.proposal.expectations[expectation]?.field === field,
  );
  return isKnown ? undefined : 'unknown-expectation';
}

/** Returns whether a person is the author of a proposal. What a program or a model has drafted has no person as its author. */
function isAuthor(person: string, author: ProposalAuthor): boolean {
  const nameOf = (name: string) => name.normalize('NFKC').trim().toLowerCase();
  return author.type === 'person' && nameOf(author.name) === nameOf(person);
}

const reasons: Readonly<Record<Refusal, readonly [reason: string, remedy?: string]>> = {
  decided: ['it is decided already', 'Undo the decision first: `touchstone proposals decide ID --undo`.'],
  'not-decided': ['there is no decision to take back', 'Approve or reject it.'],
  exported: ['its question is in a dataset', 'Change the question in the file of the dataset.'],
  own: [
    'the person who proposed it does not approve it',
    'Have another person approve it, or allow it with `--allow-own`.',
  ],
  'unknown-expectation': [
    'it ticks an expectation that the proposal does not have',
    'Read the proposal again: `touchstone proposals show ID`.',
  ],
};

/** Throws `proposal-refused` when a decision is not admitted now. */
export function requireDecision(kept: KeptProposal, decision: ProposalDecision, rules: DecisionRules): void {
  const refusal = refuseDecision(kept, decision, rules);
  if (refusal === undefined) return;
  const [reason, remedy] = reasons[refusal];
  throw new TouchstoneError(
    'proposal-refused',
    `The proposal ${kept.proposal.id} cannot be ${decision.outcome.status} now: ${reason}.`,
    remedy === undefined ? {} : { remedy: remedy.replace('ID', kept.proposal.id) },
  );
}

/** Returns the `proposal-not-found` error for an unknown proposal. */
export function proposalNotFound(id: string): TouchstoneError {
  return new TouchstoneError('proposal-not-found', `There is no proposal "${id}".`);
}
