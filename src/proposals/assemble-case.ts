import { TouchstoneError } from '../errors.ts';
import { describeExpectation } from '../lib/schema-issues.ts';
import { type Case, caseSchema, questionOf } from '../schema/case.ts';
import {
  decisionInForce,
  type KeptProposal,
  type ProposalDecision,
  type TickedExpectation,
} from '../schema/proposal/decision.ts';
import type { Proposal, ProposedField } from '../schema/proposal/proposal.ts';

/** The fields whose ticked values are gathered in a list. */
const lists: ReadonlySet<ProposedField> = new Set([
  'keywords',
  'forbidden',
  'tools',
  'entities',
  'numbers',
  'documents',
]);

/** An approved proposal, with the decision that approved it. */
export interface ApprovedProposal extends KeptProposal {
  readonly decision: ProposalDecision & {
    readonly outcome: { readonly status: 'approved' } & ProposalDecision['outcome'];
  };
}

/** Returns a proposal with its approval; undefined for one that is not approved. */
export function approvalOf(kept: KeptProposal): ApprovedProposal | undefined {
  const decision = decisionInForce(kept);
  return decision?.outcome.status === 'approved'
    ? { ...kept, decision: decision as ApprovedProposal['decision'] }
    : undefined;
}

/** Gathers ticked expectations to what a case expects. Several answers are several acceptable ones. */
function gatherExpectations(ticked: readonly TickedExpectation[]): Record<string, unknown> {
  const expected: Record<string, unknown> = {};
  for (const [field, each] of Map.groupBy(ticked, ({ field }) => field)) {
    const values = each.map(({ value }) => value);
    if (lists.has(field)) expected[field] = values.flat();
    else if (field === 'answer' && values.length > 1) expected[field] = [...new Set(values.flat())];
    else if (values.length === 1) expected[field] = values[0];
    else {
      throw new TouchstoneError('proposal-invalid', `Two values of \`${field}\` are ticked; a case has one.`);
    }
  }
  return expected;
}

/**
 * Assembles the case of an approval: as edited, with the ticked expectations and no others, and with its origin in
 * `metadata.origin`. Throws `proposal-invalid` when it is no case.
 */
export function assembleCase({ proposal, decision }: ApprovedProposal): Case {
  const { outcome } = decision;
  const { id = proposal.replaces ?? proposal.id, metadata, ...rest } = outcome.case;
  const { origin: _forged, ...others } = metadata;
  const assembled = {
    ...rest,
    id,
    expected: gatherExpectations(outcome.expectations),
    metadata: { ...others, origin: originOf(proposal, decision) },
  };
  const { data, error } = caseSchema.safeParse(assembled);
  if (data !== undefined && questionOf(data).trim() !== '') return data;
  const faults = error?.issues.map((issue) => {
    const expectation = describeExpectation(issue);
    const what = expectation === undefined ? issue.message : `expected ${expectation}`;
    return `${issue.path.join('.')}: ${what}`;
  }) ?? ['input: expected a question that is not blank'];
  throw new TouchstoneError(
    'proposal-invalid',
    `The case of the proposal ${proposal.id} cannot be used: ${faults.join('; ')}.`,
  );
}

/** Returns the origin of a case: what it was made from, when, by which proposal, and who approved it. */
function originOf(
  { id, source, isSynthetic, at }: Proposal,
  { by }: ProposalDecision,
): Record<string, string | boolean> {
  return {
    ...(source.type === 'trace' && { trace: source.traceId }),
    ...(source.type === 'document' && { document: source.document, passage: source.passage }),
    ...(source.type === 'label' && { label: source.label }),
    day: source.type === 'trace' ? source.day : at.slice(0, 10),
    proposal: id,
    by: by.person,
    ...(isSynthetic && { synthetic: true }),
  };
}
