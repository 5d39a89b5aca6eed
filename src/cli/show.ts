import { summarizeRun } from '../run/summarize.ts';
import type { Run } from '../schema/run.ts';
import { type Summary, summarySchema } from '../schema/summary.ts';
import { createPartFinder } from './find-part.ts';
import { findRun } from './find-run.ts';
import { openStore } from './open-store.ts';
import { checkKind, partInDisagreement } from './part-in-disagreement.ts';
import { claimStdout } from './output.ts';
import { checkOutputs, type ReportChoices, writeReport } from './write-report.ts';

/** The options of `touchstone show`, as the command line gives them. */
export interface ShowFlags extends ReportChoices {
  readonly store?: string;
  readonly filter?: string[];
  /** Only the cases with these ids, in full. */
  readonly case?: string[];
  /** Only what did not pass. */
  readonly failed?: boolean;
  /** Only what metrics contradict each other on; of one kind, or of any. */
  readonly disagreements?: string | true;
}

/** `touchstone show [run]`: tells a run again, whole or the part that a filter, `--failed` or `--disagreements` leaves. */
export async function showCommand(given: string | undefined, flags: ShowFlags): Promise<number> {
  const output = claimStdout();
  checkOutputs(flags);
  const { disagreements: kind } = flags;
  if (kind !== undefined) checkKind(kind);
  const findPart = createPartFinder(flags);
  const store = await openStore(flags.store);
  try {
    const run = await findRun(store, given);
    const summary = keptSummary(run) ?? (await summarizeRun(run, store));
    const within = await findPart(run, summary, store);
    const part = kind === undefined ? within : await partInDisagreement(run, kind, { store, within });
    const choices = flags.case === undefined ? flags : { ...flags, verbose: true, full: true };
    await writeReport(run, summary, { store, output, choices, part });
    return 0;
  } finally {
    await store.close();
  }
}

/**
 * The numbers of a run as they were kept. A run that was killed, or that is still going on, has none yet, and an older
 * version kept fewer: then they are made of the records.
 */
function keptSummary({ summary }: Run): Summary | undefined {
  return summarySchema.safeParse(summary).data;
}
