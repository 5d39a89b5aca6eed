import { formatRunList } from '../reporters/run-list.ts';
import { openStore } from './open-store.ts';
import { claimStdout, viewOfTerminal } from './output.ts';

/** `touchstone runs`: lists the runs that are kept, the newest first. */
export async function runsCommand(flags: {
  store?: string;
  json?: boolean;
  limit?: number;
}): Promise<number> {
  const output = claimStdout();
  const store = await openStore(flags.store);
  try {
    const runs = (await store.listRuns()).slice(0, flags.limit);
    const text =
      flags.json === true ? `${JSON.stringify(runs, null, 2)}\n` : formatRunList(runs, viewOfTerminal(false));
    await output.write(text);
    return 0;
  } finally {
    await store.close();
  }
}
