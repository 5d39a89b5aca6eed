import { TouchstoneError } from '../errors.ts';
import type { DecisionOutcome, TickedExpectation } from '../schema/proposal/decision.ts';
import type { Proposal, ProposedCase } from '../schema/proposal/proposal.ts';

/** The approval of a proposal as a person states it. */
export interface GivenApproval {
  /** The numbers of the ticked expectations, from 1, or all of them. */
  readonly ticks: readonly number[] | 'all';
  /** The case as edited; as proposed when left out. */
  readonly edited?: ProposedCase | undefined;
}

/** Makes the outcome of an approval. Throws `usage-invalid` for the number of an expectation that there is not. */
export function makeApproval(
  { id, case: proposed, expectations }: Proposal,
  { ticks, edited = proposed }: GivenApproval,
): DecisionOutcome {
  const places = ticks === 'all' ? [...expectations.keys()] : [...new Set(ticks)].map((tick) => tick - 1);
  const ticked = places.map((place): TickedExpectation => {
    const expectation = expectations[place];
    if (expectation !== undefined)
      return { expectation: place, field: expectation.field, value: expectation.value };
    throw new TouchstoneError(
      'usage-invalid',
      `The proposal ${id} has ${expectations.length} expectations, and no ${place + 1}.`,
    );
  });
  return { status: 'approved', case: edited, expectations: ticked };
}
