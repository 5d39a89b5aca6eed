import { parseFilter } from '../config/parse-filter.ts';
import { summarizeRun } from '../run/run.ts';
import type { Store } from '../stores/store.ts';
import { findRun } from './find-run.ts';
import { openStore } from './open-store.ts';
import { claimStdout } from './output.ts';
import { checkOutputs, type ReportChoices, writeReport } from './write-report.ts';

/** `touchstone show [run]`: tells a run again, whole or the cases that a filter leaves. */
export async function showCommand(
  given: string | undefined,
  flags: ReportChoices & { store?: string; filter?: string[] },
): Promise<number> {
  const output = claimStdout();
  checkOutputs(flags);
  const store = await openStore(flags.store);
  try {
    const run = await findRun(store, given);
    // A run that was killed, or that is still going on, has no numbers yet; they are made of what is kept of it.
    const summary = run.summary ?? (await summarizeRun(run, store));
    const seen = flags.filter === undefined ? store : filtered(store, parseFilter(flags.filter));
    await writeReport(run, summary, { store: seen, output, choices: flags });
    return 0;
  } finally {
    await store.close();
  }
}

function filtered(store: Store, selects: ReturnType<typeof parseFilter>): Store {
  return {
    ...store,
    readResults: async function* (runId) {
      for await (const result of store.readResults(runId)) if (selects(result.case)) yield result;
    },
  };
}
