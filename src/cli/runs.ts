import { TouchstoneError } from '../errors.ts';
import { formatRunList, type ListedRun } from '../reporters/run-list.ts';
import type { Run } from '../schema/run.ts';
import { listRuns } from './list-runs.ts';
import { openStore } from './open-store.ts';
import { claimStdout, viewOfTerminal } from './output.ts';
import { watchRuns } from './watch-runs.ts';
import { jsonDocument } from '../lib/json-document.ts';

/** The options of `touchstone runs`, as the command line gives them. */
export interface RunsFlags {
  readonly store?: string;
  readonly json?: boolean;
  readonly limit?: number;
  readonly watch?: boolean;
}

/** `touchstone runs`: lists the runs that are kept, the newest first; with `--watch`, again whenever something happens. */
export async function runsCommand(flags: RunsFlags): Promise<number> {
  if (flags.watch === true && flags.json === true) {
    throw new TouchstoneError('usage-invalid', '`--watch` is for people, `--json` for programs.', {
      remedy: 'Leave out one of them; a program can call `touchstone runs --json` again.',
    });
  }
  const output = claimStdout();
  if (flags.watch === true) return await watchRuns(() => openStore(flags.store), output, flags.limit);
  const store = await openStore(flags.store);
  try {
    const runs = await listRuns(store, flags.limit);
    const text =
      flags.json === true ? jsonDocument(runs.map(toRecord)) : formatRunList(runs, viewOfTerminal(false));
    await output.write(text);
    return 0;
  } finally {
    await store.close();
  }
}

/** For programs: one that was killed is interrupted, as one that was stopped is. */
function toRecord({ run, isEnded }: ListedRun): Run {
  return isEnded === true && run.status === 'running' ? { ...run, status: 'interrupted' } : run;
}
