import { TouchstoneError } from '../../core/errors.ts';
import { hashContent } from '../../core/lib/content-hash.ts';
import { describeExpectation } from '../../core/lib/schema-issues.ts';
import { type Proposal, proposalSchema } from '../../core/schema/proposal/proposal.ts';

/** A proposal before it has its id. */
export type ProposalDraft = Omit<Proposal, 'id'>;

/**
 * Makes a proposal, whose id is a hash of what it proposes: the same case with the same expectations from the same source is
 * the same proposal, independent of its author and of the time. Throws `proposal-invalid`.
 */
export function makeProposal(draft: ProposalDraft): Proposal {
  const { dataset, change, replaces, case: proposed, expectations, source, isSynthetic } = draft;
  const content = { dataset, change, replaces, case: proposed, expectations, source, isSynthetic };
  const { data, error } = proposalSchema.safeParse({ ...draft, id: `proposal-${idOf(content)}` });
  if (data === undefined) throw invalid(error.issues);
  if ((change === 'changed') !== (replaces !== undefined)) {
    throw new TouchstoneError(
      'proposal-invalid',
      'A changed question names the question that it replaces, and a new one names none.',
    );
  }
  return data;
}

const idDigits = 20;

function idOf(content: unknown): string {
  return hashContent(content).slice(0, idDigits);
}

type Issue = Parameters<typeof describeExpectation>[0];

function invalid(issues: readonly Issue[]): TouchstoneError {
  const faults = issues.map((issue) => {
    const expectation = describeExpectation(issue);
    const what = expectation === undefined ? issue.message : `expected ${expectation}`;
    return issue.path.length === 0 ? what : `${issue.path.join('.')}: ${what}`;
  });
  return new TouchstoneError(
    'proposal-invalid',
    `The proposed question cannot be used: ${faults.join('; ')}.`,
  );
}
