import { loadScoring, type ScoringFlags } from '../../library/api/load-scoring.ts';
import { openStoreOf } from '../../library/config/open-store-of.ts';
import { executeRun } from '../execute-run.ts';
import { claimStdout } from '../output.ts';
import { withGate } from '../flags/gate-flags.ts';
import { checkFormats, checkOutputs } from '../write-report.ts';
import { filesReadBy, type RunFlags } from './run.ts';

/** The options of `touchstone score`, as parsed from the command line. */
export interface ScoreFlags
  extends ScoringFlags,
    Pick<RunFlags, 'json' | 'verbose' | 'methods' | 'output' | 'failUnder' | 'baseline' | 'store'> {}

/**
 * Runs `touchstone score FILE`: scores recorded answers without calling a target. The file contains the expectations
 * too, unless `--dataset` names another file for them. Returns the exit code.
 */
export async function scoreCommand(file: string, flags: ScoreFlags): Promise<number> {
  const output = claimStdout();
  checkFormats(flags);
  // Recorded answers cost nothing: all of them are scored.
  const loaded = await withGate(await loadScoring(file, flags), { ...flags, sequential: false });
  await checkOutputs(flags, { reads: [file, ...filesReadBy(loaded, flags)] });
  const store = openStoreOf(loaded, { elsewhere: flags.store });
  const resumeHint = () =>
    'Run the same command again: no target is called, and stored judgements are reused.';
  try {
    return await executeRun(loaded, { store, output, choices: flags, resumeHint });
  } finally {
    await store.close();
  }
}
