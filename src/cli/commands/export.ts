import { exportRun } from '../../run/record/archive.ts';
import { requireWhole } from '../../analysis/summary/check-totals.ts';
import { findRun } from '../../queries/runs.ts';
import { openStore } from '../open-store.ts';
import { claimStdout } from '../output.ts';
import { writeFile } from '../write-file.ts';
import { escapeJson } from '../../lib/objects.ts';

/** Runs `touchstone export [run]`: writes a whole run as JSONL to standard output or a file. Returns the exit code. */
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

/** Escapes what a terminal would interpret. The import reads the same values from the escaped lines. */
async function* forTerminals(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield escapeJson(line);
}
