import type { ProposalDecision, ProposalExport } from '../../../core/schema/proposal/decision.ts';
import type { Proposal } from '../../../core/schema/proposal/proposal.ts';
import type { SqlInput } from '../database.ts';
import { recordTable, toRow } from '../rows.ts';
import type { ColumnTypes } from '../tables.ts';

/** Returns the statements that create the tables of proposed cases. None of their rows belongs to a run. */
export function createProposalTables({ integer, text, record, options }: ColumnTypes): string {
  const kept = `record ${record} NOT NULL, checksum ${integer} NOT NULL`;
  return `
  -- Proposed changes of datasets: events that never change.
  CREATE TABLE proposals (
    id ${text} NOT NULL PRIMARY KEY,
    dataset ${text} NOT NULL,
    made_at ${text} NOT NULL,
    source ${text} NOT NULL,
    trace_id ${text},
    ${kept}
  ) ${options};
  CREATE INDEX proposals_by_time ON proposals (made_at, id);
  CREATE INDEX proposals_by_trace ON proposals (trace_id);

  -- People's decisions on them.
  CREATE TABLE proposal_decisions (
    id ${text} NOT NULL PRIMARY KEY,
    proposal ${text} NOT NULL,
    decided_at ${text} NOT NULL,
    person ${text} NOT NULL,
    status ${text} NOT NULL,
    ${kept}
  ) ${options};
  CREATE INDEX proposal_decisions_by_proposal ON proposal_decisions (proposal, decided_at, id);

  -- The files that approved cases were written to.
  CREATE TABLE proposal_exports (
    id ${text} NOT NULL PRIMARY KEY,
    proposal ${text} NOT NULL,
    decision ${text} NOT NULL,
    file ${text} NOT NULL,
    case_id ${text} NOT NULL,
    written_at ${text} NOT NULL,
    ${kept}
  ) ${options};
  CREATE INDEX proposal_exports_by_proposal ON proposal_exports (proposal, written_at, id);

  -- The number of rows of each of these tables, counted by triggers, so that a lost row is noticed.
  CREATE TABLE proposal_totals (
    name ${text} NOT NULL PRIMARY KEY,
    number ${integer} NOT NULL
  ) ${options};
`;
}

/** The tables whose rows are counted in `proposal_totals`. */
export const countedProposalTables = ['proposals', 'proposal_decisions', 'proposal_exports'] as const;

/** The table of proposals. */
export const proposalTable = recordTable('proposals', 1, ['id', 'dataset', 'made_at', 'source', 'trace_id']);

/** Returns the row of a proposal. */
export function proposalRow(proposal: Proposal): SqlInput[] {
  const { id, dataset, at, source } = proposal;
  return toRow([id, dataset, at, source.type, source.type === 'trace' ? source.traceId : null], proposal);
}

/** The table of decisions on proposals. */
export const decisionTable = recordTable('proposal_decisions', 1, [
  'id',
  'proposal',
  'decided_at',
  'person',
  'status',
]);

/** Returns the row of a decision. */
export function decisionRow(decision: ProposalDecision): SqlInput[] {
  const { id, proposal, at, by, outcome } = decision;
  return toRow([id, proposal, at, by.person, outcome.status], decision);
}

/** The table of the files that approved cases were written to. */
export const exportTable = recordTable('proposal_exports', 1, [
  'id',
  'proposal',
  'decision',
  'file',
  'case_id',
  'written_at',
]);

/** Returns the row of an export. */
export function exportRow(written: ProposalExport): SqlInput[] {
  const { id, proposal, decision, file, caseId, at } = written;
  return toRow([id, proposal, decision, file, caseId, at], written);
}
