import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { loadGolden } from '../../config/load-lint.ts';
import { TouchstoneError } from '../../../core/errors.ts';
import { hashContent } from '../../../core/lib/content-hash.ts';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import { displayPath } from '../../../core/lib/text/display-path.ts';
import {
  type ApprovedProposal,
  type GivenDecision,
  approvalOf,
  assembleCase,
  decide as decideOn,
  findProposal,
  makeApproval,
} from '../../../cases/proposals/decide.ts';
import { isHeldOut, lintCases } from '../../../cases/proposals/golden-set.ts';
import { findLineNames } from '../../../cases/proposals/case-line.ts';
import { type ExportPlan, planExport } from '../../../cases/proposals/plan-export.ts';
import type { LintFinding } from '../../../core/schema/api/lint-finding.ts';
import type { ProposalExport, ProposalPart } from '../../../core/schema/proposal/decision.ts';
import type { KeptProposal } from '../../../core/schema/proposal/kept-proposal.ts';
import { type ProposedCase, proposedCaseSchema } from '../../../core/schema/proposal/proposal.ts';
import type { Store } from '../../../stores/store.ts';
import { readFromStore, type StoreChoice, withStore, withWritableStore } from '../open-store.ts';
import { writeFile } from '../write-file.ts';
import { proposalKind } from '../../../stores/kinds/proposal.ts';
import { addExports, type ProposalChoice, queryOf } from '../../../stores/proposals/proposal-records.ts';
import { relativePath } from '../../../core/lib/files/path-within.ts';

/** Yields the proposals of a store, in the order in which they were made, as `touchstone proposals list` does. */
export function readProposals(choice: StoreChoice & ProposalChoice = {}): AsyncGenerator<KeptProposal> {
  return readFromStore(choice, ({ documents }) => documents.list(proposalKind, queryOf(choice)));
}

/**
 * Reads a proposal with its decisions, by its id or a part of it.
 * @throws TouchstoneError for an unknown one.
 */
export async function readProposal(id: string, choice: StoreChoice = {}): Promise<KeptProposal> {
  return await withStore(choice, async ({ documents }) => await findProposal(documents, id));
}

/** Options of checking a proposal. */
export interface LintProposalOptions {
  /** A config, or its folder; by default the one in the current folder, if there is one. */
  readonly config?: string;
  readonly folder?: string;
  readonly onNotice?: (message: string) => void;
}

/**
 * Checks the case of a proposal as `touchstone lint` would once it were in the dataset: as approved, or with all expectations while
 * it is open. Returns the findings about it.
 */
export async function lintProposal(
  kept: KeptProposal,
  { config, folder = process.cwd(), onNotice = () => {} }: LintProposalOptions = {},
): Promise<LintFinding[]> {
  const golden = await loadGolden({ file: kept.proposal.dataset, config, folder, onNotice });
  return await lintCases(golden, [toEntering(approvalOf(kept) ?? approveAll(kept))]);
}

/** Returns a proposal as if everything in it were approved, for checks. */
function approveAll(kept: KeptProposal): ApprovedProposal {
  const { id: proposal, at } = kept.proposal;
  const outcome = makeApproval(kept.proposal, { ticks: 'all' });
  const decision = { id: 'check', proposal, outcome, by: { person: 'check' }, at };
  return approvalOf({ ...kept, decisions: [decision] }) as ApprovedProposal;
}

/** Reads a case as a person has edited it, without expectations, from a file of JSON. Throws `proposal-invalid`. */
export async function readProposedCase(file: string): Promise<ProposedCase> {
  try {
    return proposedCaseSchema.parse(parseJson(await readFile(file, 'utf8')));
  } catch (error) {
    throw new TouchstoneError('proposal-invalid', `${file} is no question without expectations.`, {
      remedy: 'Write the question as `touchstone proposals show --json` prints it, under `proposal.case`.',
      cause: error,
    });
  }
}

/** Options of a decision on a proposal. */
export interface DecideOptions extends StoreChoice {
  /** True when people may approve what they have proposed themselves. */
  readonly isOwnAllowed?: boolean;
}

/**
 * Stores a person's decision on a proposal, as `touchstone proposals decide` does. Only the ticked expectations of an approval
 * enter the case.
 * @throws TouchstoneError for an unknown proposal, for a case that cannot be used, and for a decision that is refused.
 */
export async function decideProposal(
  decision: GivenDecision,
  { isOwnAllowed = false, ...choice }: DecideOptions = {},
): Promise<KeptProposal> {
  return await withStore(
    choice,
    async ({ documents }) => await decideOn(documents, decision, { isOwnAllowed }),
  );
}

/** Options of writing approved cases to a golden set. */
export interface ExportProposalsOptions extends StoreChoice {
  /** The file of JSON Lines, relative to the folder; by default the file of the config's dataset. It need not exist yet. */
  readonly file?: string;
  /** The share of new cases that is held out, from 0 to 1, by the hash of their questions; 0 by default. */
  readonly heldOut?: number;
  /** The file for the cases that are held out. */
  readonly heldOutFile?: string;
  /** True to write nothing: the result contains the patch. */
  readonly isDryRun?: boolean;
  readonly onNotice?: (message: string) => void;
}

/** The approved cases that were written, or would be. */
export interface ExportedProposals {
  readonly files: readonly (ExportPlan & { readonly part: ProposalPart })[];
  /** The findings of `touchstone lint` about the new cases; `file` is the id of the proposal. */
  readonly findings: readonly LintFinding[];
}

/**
 * Writes the cases of approved proposals to a golden set, as `touchstone proposals export` does: each is a line, appended in one
 * step or not at all, and once, however often it is exported.
 * @throws TouchstoneError for a file that is no JSON Lines, and for one that cannot be written.
 */
export async function exportProposals(options: ExportProposalsOptions = {}): Promise<ExportedProposals> {
  const { folder = process.cwd(), file, heldOut = 0, heldOutFile, onNotice = () => {} } = options;
  if (heldOut > 0 && heldOutFile === undefined)
    throw new TouchstoneError('usage-invalid', 'There is no file for the held-out questions.', {
      remedy: 'Name one: `--held-out-file held-out.jsonl`.',
    });
  const config = typeof options.config === 'string' ? options.config : undefined;
  const golden = await loadGolden({ file, folder, config, onNotice });
  return await withWritableStore(options, async (store) => {
    const approved = await readApproved(store, golden.name);
    const parts: readonly [ProposalPart, string][] = [
      ['golden', path.resolve(golden.name)],
      ['held-out', path.resolve(folder, heldOutFile ?? '')],
    ];
    const files = parts.flatMap(([part, full]) => {
      const own = approved.filter((each) => partOf(each, heldOut) === part && !isElsewhere(each, full));
      return own.length === 0 ? [] : [{ ...planFile(full, own), part }];
    });
    const findings = await lintCases(golden, approved.map(toEntering));
    if (options.isDryRun !== true) for (const plan of files) await writePlan(store, plan);
    return { files, findings };
  });
}

function toEntering(approved: ApprovedProposal) {
  const { id, replaces } = approved.proposal;
  return { proposal: id, case: assembleCase(approved), replaces };
}

/** Reads the approved proposals for a dataset, those that were exported before included. */
async function readApproved({ documents }: Store, name: string): Promise<ApprovedProposal[]> {
  const approved: ApprovedProposal[] = [];
  for await (const kept of documents.list(proposalKind)) {
    const isOfSet = path.resolve(kept.proposal.dataset) === path.resolve(name);
    const approval = isOfSet ? approvalOf(kept) : undefined;
    if (approval !== undefined) approved.push(approval);
  }
  return approved;
}

/** Returns the part of the dataset that a case is in or belongs to. A changed case stays where it is. */
function partOf({ proposal, decision, exports }: ApprovedProposal, heldOut: number): ProposalPart {
  const before = exports.find((each) => each.decision === decision.id)?.part;
  if (before !== undefined) return before;
  return proposal.change === 'new' && isHeldOut(decision.outcome.case, heldOut) ? 'held-out' : 'golden';
}

/** Returns whether a case was written to another file before: it must not be in two. */
function isElsewhere({ decision, exports }: ApprovedProposal, full: string): boolean {
  return exports.some((each) => each.decision === decision.id && path.resolve(each.file) !== full);
}

const linesOnly = /\.(jsonl|ndjson)$/i;

function planFile(file: string, approved: readonly ApprovedProposal[]): ExportPlan {
  const shown = displayPath(file);
  if (!linesOnly.test(file)) {
    throw new TouchstoneError('output-invalid', `Questions cannot be appended to ${shown}.`, {
      remedy: 'Name a file of JSON Lines, which may be new, and list it under `dataset` too: `golden.jsonl`.',
    });
  }
  const text = existsSync(file) ? readFileSync(file, 'utf8') : null;
  const names = findLineNames(text);
  return planExport({ file: shown, path: pathInRepository(file), text, names }, approved);
}

/** Returns the path of a file from the root of its repository, with slashes; from the current folder where there is none. */
function pathInRepository(file: string): string {
  const from = (folder: string): string | undefined => {
    if (existsSync(path.join(folder, '.git'))) return folder;
    const above = path.dirname(folder);
    return above === folder ? undefined : from(above);
  };
  const root = from(path.dirname(file)) ?? process.cwd();
  return relativePath(root, file);
}

/** Writes a plan, and records which cases are in the file. */
async function writePlan(
  store: Store,
  { file, text, patch, placed, part }: ExportPlan & { readonly part: ProposalPart },
): Promise<void> {
  if (patch !== '') await writeFile(path.resolve(file), [text]);
  const at = new Date().toISOString();
  const written = placed.map(({ approved, case: { id: caseId } }): ProposalExport => {
    const { proposal, decision } = approved;
    const id = hashContent({ proposal: proposal.id, decision: decision.id, file });
    return { id, proposal: proposal.id, decision: decision.id, file, caseId, part, at };
  });
  await addExports(store.documents, written);
}
