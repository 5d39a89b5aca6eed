import { exportRun } from '../../run/record/archive.ts';
import { requireWhole } from '../../analysis/summary/check-totals.ts';
import { findRun } from '../../queries/runs.ts';
import { openStore } from '../open-store.ts';
import { claimStdout } from '../output.ts';
import { writeFile } from '../write-file.ts';
import { escapeJson } from '../../lib/objects.ts';

/** `touchstone export [run]`: a whole run as JSONL, to standard output or a file. */
export async function exportCommand(
  given: string | undefined,
  flags: { store?: string; output?: string },
): Promise<number> {
  const output = claimStdout();
  const store = await openStore(flags.store);
  try {
    const run = await findRun(store, given);
    await requireWhole(run, store);
    const lines = exportRun(run, store);
    if (flags.output === undefined) await output.writeAll(forTerminals(lines));
    else {
      await writeFile(flags.output, lines);
      console.error(`Wrote run ${run.id} to ${flags.output}.`);
    }
    return 0;
  } finally {
    await store.close();
  }
}

/** Imported, they are the same. */
async function* forTerminals(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield escapeJson(line);
}
