import { existsSync } from 'node:fs';
import { compareRuns } from '../../analysis/compare/compare-runs.ts';
import type { KeptRun, TargetChoice } from '../../analysis/compare/compared-run.ts';
import { readDataFile } from '../../config/load-config.ts';
import { listBaselines, readNamedBaseline } from '../../gate/baselines.ts';
import { importRun } from '../../run/record/archive.ts';
import { createMemoryStore } from '../../stores/memory.ts';
import type { Store } from '../../stores/store.ts';
import { findRun } from '../../queries/runs.ts';
import { findStoreFolder, openStore } from '../open-store.ts';
import { claimStdout } from '../output.ts';
import {
  type ComparisonFlags,
  readComparisonFlags,
  regressionExitCode,
  tellComparison,
} from './print-comparison.ts';

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

/** A run as it was named, and the file it came from if it was one. */
interface FoundRun extends KeptRun {
  readonly file?: string;
}

/** Where runs are looked for. */
interface RunPlaces {
  readonly store: Store;
  /** The folder of the store, which keeps the names of baselines too. */
  readonly storeFolder: string;
}

/**
 * The run that a user means: an id or a part of it, `latest`, `latest~1` for the one before the latest, the name of a
 * baseline, or a file that `touchstone export` wrote, which is read into memory. Throws `run-not-found`, and
 * `import-invalid` for a file that is none.
 */
async function findComparedRun(given: string, { store, storeFolder }: RunPlaces): Promise<FoundRun> {
  if (/\.jsonl?$/i.test(given) && existsSync(given)) {
    const memory = createMemoryStore();
    const run = await importRun(readDataFile(given, process.cwd(), 'jsonl'), memory);
    return { run, store: memory, file: given };
  }
  const names = await listBaselines(storeFolder);
  const id = names.includes(given) ? (await readNamedBaseline(storeFolder, given)).run.id : given;
  return { run: await findRun(store, id), store };
}
