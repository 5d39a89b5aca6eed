import { readFile } from 'node:fs/promises';
import {
  decideProposal,
  exportProposals,
  lintProposal,
  readProposal,
  readProposals,
} from '../../../library/api/cases/proposals.ts';
import { TouchstoneError } from '../../../core/errors.ts';
import { parseJson } from '../../../core/lib/json/parse-json.ts';
import { jsonDocument } from '../../../core/lib/objects.ts';
import { toTerminalText } from '../../../core/lib/text/terminal-text.ts';
import { makeApproval } from '../../../cases/proposals/decide.ts';
import type { DecisionOutcome } from '../../../core/schema/proposal/decision.ts';
import type { ProposalState } from '../../../core/schema/proposal/kept-proposal.ts';
import { type ProposedCase, proposedCaseSchema } from '../../../core/schema/proposal/proposal.ts';
import { readGitPerson } from '../../git-person.ts';
import { openStore, openWritableStore } from '../../open-store.ts';
import { claimStdout } from '../../output.ts';
import { damagedCode } from '../check.ts';
import { describeDecision, describeExport, describeList, describeProposal } from './print-proposals.ts';

/** The options of the `touchstone proposals` commands, as parsed from the command line. */
export interface ProposalsFlags {
  readonly state?: ProposalState;
  readonly dataset?: string;
  readonly approve?: boolean;
  readonly reject?: boolean;
  readonly undo?: boolean;
  readonly tick?: string;
  readonly case?: string;
  readonly note?: string;
  readonly by?: string;
  readonly allowOwn?: boolean;
  readonly patch?: boolean;
  readonly dryRun?: boolean;
  readonly heldOut?: number;
  readonly heldOutFile?: string;
  readonly config?: string;
  readonly json?: boolean;
  readonly store?: string;
}

const onNotice = (message: string) => console.error(`note: ${toTerminalText(message)}`);

/** Runs `touchstone proposals list`. Returns the exit code. */
export async function listCommand(flags: ProposalsFlags): Promise<number> {
  const output = claimStdout();
  const store = await openStore(flags.store);
  try {
    const { state, dataset } = flags;
    const kept = await Array.fromAsync(readProposals({ store, state, dataset }));
    await output.write(flags.json === true ? jsonDocument(kept) : describeList(kept));
    return 0;
  } finally {
    await store.close();
  }
}

/** Runs `touchstone proposals show ID`: prints a proposal with what lint finds about it. Returns the exit code. */
export async function showCommand(id: string, flags: ProposalsFlags): Promise<number> {
  const output = claimStdout();
  const store = await openStore(flags.store);
  try {
    const kept = await readProposal(id, { store });
    const findings = await lintProposal(kept, { onNotice });
    const text = flags.json === true ? jsonDocument({ ...kept, findings }) : describeProposal(kept, findings);
    await output.write(text);
    return 0;
  } finally {
    await store.close();
  }
}

/** Runs `touchstone proposals decide ID`: approves, rejects, or takes a decision back. Returns the exit code. */
export async function decideCommand(id: string, flags: ProposalsFlags): Promise<number> {
  const output = claimStdout();
  const person = flags.by ?? (await readGitPerson(process.cwd()));
  if (person === undefined) {
    throw new TouchstoneError('usage-invalid', 'It is not known who decides.', {
      remedy: 'Say who you are: `--by NAME`.',
    });
  }
  const edited = flags.case === undefined ? undefined : await readCase(flags.case);
  const store = await openWritableStore(flags.store);
  try {
    const kept = await readProposal(id, { store });
    const outcome = outcomeOf(flags, (ticks) => makeApproval(kept.proposal, { ticks, edited }));
    const note = flags.note === undefined ? {} : { note: flags.note };
    const decided = await decideProposal(
      { proposal: kept.proposal.id, person, outcome, ...note },
      { store, isOwnAllowed: flags.allowOwn === true },
    );
    await output.write(flags.json === true ? jsonDocument(decided) : describeDecision(decided));
    return 0;
  } finally {
    await store.close();
  }
}

function outcomeOf(
  { approve, reject, undo, tick = 'none' }: ProposalsFlags,
  approveWith: (ticks: readonly number[] | 'all') => DecisionOutcome,
): DecisionOutcome {
  if ([approve, reject, undo].filter((each) => each === true).length !== 1) {
    throw new TouchstoneError('usage-invalid', 'A decision is one of `--approve`, `--reject` and `--undo`.');
  }
  if (reject === true) return { status: 'rejected' };
  if (undo === true) return { status: 'withdrawn' };
  return approveWith(readTicks(tick));
}

function readTicks(text: string): readonly number[] | 'all' {
  if (text === 'all') return 'all';
  if (text === 'none') return [];
  const numbers = text.split(',').map(Number);
  if (numbers.every((number) => Number.isInteger(number) && number >= 1)) return numbers;
  throw new TouchstoneError('usage-invalid', `"${text}" are no expectations to tick.`, {
    remedy: 'Write their numbers, as `touchstone proposals show` prints them: `--tick 1,3`; or all, or none.',
  });
}

async function readCase(file: string): Promise<ProposedCase> {
  try {
    return proposedCaseSchema.parse(parseJson(await readFile(file, 'utf8')));
  } catch (error) {
    throw new TouchstoneError('proposal-invalid', `${file} is no case without expectations.`, {
      remedy: 'Write the case as `touchstone proposals show --json` prints it, under `proposal.case`.',
      cause: error,
    });
  }
}

/**
 * Runs `touchstone proposals export [FILE]`: writes the cases of approved proposals, or prints the patch. Returns the exit code: 2
 * when a case could not be written.
 */
export async function exportCommand(file: string | undefined, flags: ProposalsFlags): Promise<number> {
  const output = claimStdout();
  const isDryRun = flags.dryRun === true || flags.patch === true;
  const store = await openWritableStore(flags.store);
  try {
    const exported = await exportProposals({
      store,
      isDryRun,
      onNotice,
      file,
      config: flags.config,
      heldOut: flags.heldOut,
      heldOutFile: flags.heldOutFile,
    });
    const text = describeExport(exported, isDryRun);
    if (flags.json === true) await output.write(jsonDocument(exported));
    else if (flags.patch === true) {
      console.error(text.trimEnd());
      await output.write(exported.files.map(({ patch }) => patch).join(''));
    } else await output.write(text);
    return exported.files.some(({ refused }) => refused.length > 0) ? damagedCode : 0;
  } finally {
    await store.close();
  }
}
