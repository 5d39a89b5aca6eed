import { compareRuns } from '../analysis/compare/compare-runs.ts';
import type { TargetChoice } from '../analysis/compare/pick-targets.ts';
import { findComparedRun, type FoundRun } from './find-compared-run.ts';
import { findStoreFolder, openStore } from './open-store.ts';
import { claimStdout } from './output.ts';
import {
  type ComparisonFlags,
  readComparisonFlags,
  regressionExitCode,
  tellComparison,
} from './tell-comparison.ts';

/** The options of `touchstone compare`, as the command line gives them. */
export interface CompareFlags extends ComparisonFlags {
  /** Which targets belong together: `A=B`, or one name for both. */
  readonly target?: readonly string[];
}

/** `touchstone compare A B …`: holds runs against the first, paired by question. Gives the exit code. */
export async function compareCommand(given: readonly string[], flags: CompareFlags): Promise<number> {
  const output = claimStdout();
  const choices = readComparisonFlags(flags);
  const store = await openStore(flags.store);
  try {
    const runs: FoundRun[] = [];
    const places = { store, storeFolder: await findStoreFolder(flags.store) };
    for (const name of given) runs.push(await findComparedRun(name, places));
    const comparison = await compareRuns(runs, { ...choices, targets: flags.target?.map(parseTargets) });
    const files = new Map(runs.flatMap(({ run, file }) => (file === undefined ? [] : [[run.id, file]])));
    await tellComparison({ comparison, storeFolder: flags.store, files }, flags, output);
    return flags.failOnRegression === true ? regressionExitCode(comparison) : 0;
  } finally {
    await store.close();
  }
}

function parseTargets(given: string): TargetChoice {
  const [, a = given, b = given] = /^([^=]+)=(.+)$/.exec(given) ?? [];
  return { a, b };
}
