import { existsSync, readFileSync } from 'node:fs';
import { keyedHash } from '../../core/lib/content-hash.ts';
import type { KeptProposal } from '../../core/schema/proposal/kept-proposal.ts';
import { draftOfTrace } from '../../core/schema/judgement.ts';
import type { Store } from '../../stores/store.ts';
import { readUserKey } from '../../stores/kinds/feedback.ts';
import { proposalKind } from '../../stores/kinds/proposal.ts';
import { traceKind } from '../../stores/kinds/trace.ts';
import { eraseProposals } from '../../stores/proposals/proposal-records.ts';
import { eraseTraces } from '../../stores/traces/trace-records.ts';

/** A line of a golden set that was made of a forgotten trace. It stays until someone removes it. */
export interface HoldingLine {
  readonly file: string;
  /** From 1; null when the file is not there or no longer contains the case. */
  readonly line: number | null;
  readonly caseId: string;
  readonly traceId: string;
}

/** The removed records, and those that still hold parts of them. */
export interface ForgottenTraces {
  /** The ids of the removed traces. */
  readonly traces: readonly string[];
  /** The number of removed proposals. */
  readonly proposals: number;
  /** The lines of golden sets that hold cases made of them. */
  readonly lines: readonly HoldingLine[];
  /** The runs whose plans contain such cases. */
  readonly runs: readonly string[];
}

/**
 * Erases traces by their ids and by their users, with the proposals made of them and the replies of a model about
 * them. What they left in files and in runs is named:
 * people decide on their golden sets.
 */
export async function forgetTraces(
  store: Store,
  { traces = [], users = [] }: { readonly traces?: readonly string[]; readonly users?: readonly string[] },
): Promise<ForgottenTraces> {
  const ids = new Set(traces);
  const { secret } = await readUserKey(store.documents);
  for (const user of users)
    for (const { traceId } of await Array.fromAsync(
      store.documents.list(traceKind, { where: { user_hash: keyedHash(user, secret) } }),
    ))
      ids.add(traceId);
  const kept: KeptProposal[] = [];
  for (const traceId of ids)
    kept.push(
      ...(await Array.fromAsync(store.documents.list(proposalKind, { where: { trace_id: traceId } }))),
    );
  const lines = findLines(kept);
  const proposals = await eraseProposals(
    store.documents,
    kept.map(({ proposal }) => proposal.id),
  );
  for (const traceId of ids) await store.eraseJudgements(draftOfTrace(traceId));
  const erased = await eraseTraces(store.documents, [...ids], new Date().toISOString());
  const cases = new Set(lines.map(({ caseId }) => caseId));
  return { traces: erased, proposals, lines, runs: await findRuns(store, cases) };
}

/** Finds the lines of golden sets that hold the exported cases of proposals. */
export function findLines(kept: readonly KeptProposal[]): HoldingLine[] {
  return kept.flatMap(({ proposal, exports }) =>
    exports.map(({ file, caseId }): HoldingLine => {
      const traceId = proposal.source.type === 'trace' ? proposal.source.traceId : '';
      return { file, line: findLine(file, proposal.id), caseId, traceId };
    }),
  );
}

/** Returns the number of the line that names a proposal as its origin. */
function findLine(file: string, proposal: string): number | null {
  if (!existsSync(file)) return null;
  const lines = readFileSync(file, 'utf8').split('\n');
  const index = lines.findIndex((line) => line.includes(JSON.stringify(proposal)));
  return index < 0 ? null : index + 1;
}

async function findRuns(store: Store, cases: ReadonlySet<string>): Promise<string[]> {
  if (cases.size === 0) return [];
  const runs: string[] = [];
  for (const { id } of await store.listRuns()) {
    for (const caseId of cases) {
      if ((await store.findCase(id, caseId)) === undefined) continue;
      runs.push(id);
      break;
    }
  }
  return runs;
}
