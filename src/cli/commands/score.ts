import { loadScoring, type ScoringFlags } from '../../api/load-scoring.ts';
import { executeRun } from '../execute-run.ts';
import { claimStdout } from '../output.ts';
import { withGate } from '../program/gate-flags.ts';
import { checkOutputs } from '../write-report.ts';
import { openRunStore, type RunFlags } from './run.ts';

/** The options of `touchstone score`, as the command line gives them. */
export interface ScoreFlags
  extends ScoringFlags,
    Pick<RunFlags, 'json' | 'verbose' | 'methods' | 'output' | 'failUnder' | 'baseline' | 'store'> {}

/**
 * `touchstone score FILE`: scores recorded answers without calling anything. The file holds the expectations too, unless
 * `--dataset` names another that does.
 */
export async function scoreCommand(file: string, flags: ScoreFlags): Promise<number> {
  const output = claimStdout();
  checkOutputs(flags);
  // Recorded answers cost nothing: all of them are scored.
  const loaded = await withGate(await loadScoring(file, flags), { ...flags, sequential: false });
  const store = openRunStore(loaded, flags.store);
  const sayHowToGoOn = () => 'Run the same command again: no target is called, and no judge is asked twice.';
  try {
    return await executeRun(loaded, { store, output, choices: flags, sayHowToGoOn });
  } finally {
    await store.close();
  }
}
