import { TouchstoneError } from '../../core/errors.ts';
import { randomId } from '../../core/lib/random-id.ts';
import { describeExpectation } from '../../core/lib/schema-issues.ts';
import { didYouMean } from '../../core/lib/text/nearest-name.ts';
import { type Case, caseSchema, questionOf } from '../../core/schema/case.ts';
import {
  type DecisionOutcome,
  type ProposalDecision,
  type TickedExpectation,
  proposalDecisionSchema,
} from '../../core/schema/proposal/decision.ts';
import { type KeptProposal, decisionInForce } from '../../core/schema/proposal/kept-proposal.ts';
import type { Proposal, ProposedCase, ProposedField } from '../../core/schema/proposal/proposal.ts';
import type { DecisionRules } from '../../stores/proposals/admit-decision.ts';
import { proposalKind } from '../../stores/kinds/proposal.ts';
import { storeDecision } from '../../stores/proposals/proposal-records.ts';
import { type DocumentStore } from '../../stores/documents/document-store.ts';

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
    `The question of the proposal ${proposal.id} cannot be used: ${faults.join('; ')}.`,
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
    ...(source.type === 'run' && { run: source.run }),
    day: source.type === 'trace' ? source.day : at.slice(0, 10),
    proposal: id,
    by: by.person,
    ...(isSynthetic && { synthetic: true }),
  };
}

/** The approval of a proposal as a person states it. */
export interface GivenApproval {
  /** The numbers of the ticked expectations, from 1, or all of them. */
  readonly ticks: readonly number[] | 'all';
  /** The case as edited; as proposed by default. */
  readonly edited?: ProposedCase;
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

/** A decision as a person makes it. */
export interface GivenDecision {
  /** The id of the proposal, or the beginning of it. */
  readonly proposal: string;
  readonly person: string;
  readonly outcome: DecisionOutcome;
  readonly note?: string;
  /** A unique text; a caller that sends the same decision again with it, since no reply came, makes it once. */
  readonly id?: string;
  /** The current time, for tests. */
  readonly now?: Date;
}

/**
 * Stores a person's decision on a proposal. Throws `proposal-not-found`; `proposal-invalid` for an approved case that is none;
 * and `proposal-refused`.
 */
export async function decide(
  documents: DocumentStore,
  newDecision: GivenDecision,
  rules: DecisionRules,
): Promise<KeptProposal> {
  const kept = await findProposal(documents, newDecision.proposal);
  const decision = makeDecision(kept, newDecision);
  const approval = approvalOf({ ...kept, decisions: [decision] });
  // An approval that could not be exported must not be given.
  if (approval !== undefined) assembleCase(approval);
  await storeDecision(documents, decision, rules);
  return await findProposal(documents, kept.proposal.id);
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
    note,
  });
  if (data !== undefined) return data;
  const faults = error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);
  throw new TouchstoneError('proposal-invalid', `The decision cannot be used: ${faults.join('; ')}.`);
}

/**
 * Finds the proposal that a user names by its id or by the beginning or end of it. Throws `proposal-not-found` when none or
 * several match.
 */
export async function findProposal(documents: DocumentStore, name: string): Promise<KeptProposal> {
  const exact = await documents.get(proposalKind, [name]);
  if (exact !== undefined) return exact;
  const ids: string[] = [];
  for await (const { proposal } of documents.list(proposalKind)) ids.push(proposal.id);
  const matching = ids.filter(
    (id) => name !== '' && (id.startsWith(name) || id.endsWith(name) || id.startsWith(`proposal-${name}`)),
  );
  const [only, ...others] = matching;
  if (only !== undefined && others.length === 0) return await findProposal(documents, only);
  const what =
    only === undefined
      ? `There is no proposal "${name}".${didYouMean(name, ids)}`
      : `"${name}" matches ${matching.length} proposals.`;
  throw new TouchstoneError('proposal-not-found', what);
}
