import { TouchstoneError } from '../errors.ts';
import { randomId } from '../lib/random-id.ts';
import { didYouMean } from '../lib/text/nearest-name.ts';
import {
  type DecisionOutcome,
  type KeptProposal,
  type ProposalDecision,
  proposalDecisionSchema,
} from '../schema/proposal/decision.ts';
import type { DecisionRules, ProposalStore } from '../stores/proposals/proposal-store.ts';
import { approvalOf, assembleCase } from './assemble-case.ts';

/** A decision as a person makes it. */
export interface GivenDecision {
  /** The id of the proposal, or the beginning of it. */
  readonly proposal: string;
  readonly person: string;
  readonly outcome: DecisionOutcome;
  readonly note?: string | undefined;
  /** A unique text; a caller that sends the same decision again with it, since no reply came, makes it once. */
  readonly id?: string | undefined;
  /** The current time, for tests. */
  readonly now?: Date;
}

/**
 * Stores a person's decision on a proposal. Throws `proposal-not-found`; `proposal-invalid` for an approved case that is none;
 * and `proposal-refused`.
 */
export async function decide(
  proposals: ProposalStore,
  given: GivenDecision,
  rules: DecisionRules,
): Promise<KeptProposal> {
  const kept = await findProposal(proposals, given.proposal);
  const decision = makeDecision(kept, given);
  const approval = approvalOf({ ...kept, decisions: [decision] });
  // An approval that could not be exported must not be given.
  if (approval !== undefined) assembleCase(approval);
  await proposals.decide(decision, rules);
  return await findProposal(proposals, kept.proposal.id);
}

function makeDecision(
  { proposal, decisions }: KeptProposal,
  { id = randomId(), person, outcome, note, now = new Date() }: GivenDecision,
): ProposalDecision {
  // Later than the one before, since decisions are sorted by their times.
  const after = decisions.map(({ at }) => Date.parse(at) + 1);
  const { data, error } = proposalDecisionSchema.safeParse({
    id,
    proposal: proposal.id,
    outcome,
    by: { person },
    at: new Date(Math.max(now.getTime(), ...after)).toISOString(),
    ...(note !== undefined && { note }),
  });
  if (data !== undefined) return data;
  const faults = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new TouchstoneError('proposal-invalid', `The decision cannot be used: ${faults.join('; ')}.`);
}

/**
 * Finds the proposal that a user names by its id or by the beginning or end of it. Throws `proposal-not-found` when none or
 * several match.
 */
export async function findProposal(proposals: ProposalStore, given: string): Promise<KeptProposal> {
  const exact = await proposals.find(given);
  if (exact !== undefined) return exact;
  const ids: string[] = [];
  for await (const { proposal } of proposals.read()) ids.push(proposal.id);
  const matching = ids.filter(
    (id) =>
      given !== '' && (id.startsWith(given) || id.endsWith(given) || id.startsWith(`proposal-${given}`)),
  );
  const [only, ...others] = matching;
  if (only !== undefined && others.length === 0) return await findProposal(proposals, only);
  const what =
    only === undefined
      ? `There is no proposal "${given}".${didYouMean(given, ids)}`
      : `"${given}" matches ${matching.length} proposals.`;
  throw new TouchstoneError('proposal-not-found', what);
}
