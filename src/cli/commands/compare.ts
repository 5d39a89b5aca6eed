import { checkOutputFiles } from '../../library/api/output-files.ts';
import { exitCodeAfterWriting } from '../write-report.ts';
import { existsSync } from 'node:fs';
import { compareRuns } from '../../people/reviews/compare-runs.ts';
import type { KeptRun, TargetChoice } from '../../decide/analysis/compare/compared-run.ts';
import { readDataFile } from '../../library/config/load-config.ts';
import { importRun } from '../../evaluate/run/record/archive.ts';
import { createMemoryStore } from '../../stores/memory.ts';
import type { Store } from '../../stores/store.ts';
import { readComparisonAnswers } from '../../server/comparison-answers.ts';
import { findRun } from '../../look/queries/runs.ts';
import { writePage } from '../../look/reporters/html-page.ts';
import { openStore } from '../open-store.ts';
import { claimStdout } from '../output.ts';
import {
  type ComparisonFlags,
  readComparisonFlags,
  regressionExitCode,
  printComparison,
} from './print-comparison.ts';

/** The options of `touchstone compare`, as parsed from the command line. */
export interface CompareFlags extends ComparisonFlags {
  /** The pairs of targets to compare: `A=B`, or one name for both. */
  readonly target?: readonly string[];
}

/** Runs `touchstone compare A B …`: compares runs with the first, paired by question. Returns the exit code. */
export async function compareCommand(names: readonly string[], flags: CompareFlags): Promise<number> {
  const output = claimStdout();
  const choices = readComparisonFlags(flags, names.length);
  const store = await openStore(flags.store);
  try {
    await checkOutputFiles(flags.output ?? [], { store, reads: names });
    const runs: FoundRun[] = [];
    for (const name of names) runs.push(await findComparedRun(name, store));
    const comparison = await compareRuns(runs, {
      ...choices,
      targets: flags.target?.map(parseTargets),
    });
    const files = new Map(runs.flatMap(({ run, file }) => (file === undefined ? [] : [[run.id, file]])));
    const [a, b] = runs;
    const page =
      a === undefined || b === undefined
        ? undefined
        : () => writePage(readComparisonAnswers({ a, b, comparison, storeFolder: flags.store }, pageLimits));
    const exitCode = flags.failOnRegression === true ? regressionExitCode(comparison) : 0;
    return await exitCodeAfterWriting(exitCode, () =>
      printComparison({ comparison, storeFolder: flags.store, files }, flags, output, page),
    );
  } finally {
    await store.close();
  }
}

/** The most that a page contains. */
const pageLimits = { cases: 2_000, bytes: 20_000_000 };

function parseTargets(text: string): TargetChoice {
  const [, a = text, b = text] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  return { a, b };
}

/** A run named on the command line, and the file it was read from if the name was a file. */
interface FoundRun extends KeptRun {
  readonly file?: string;
}

/**
 * Finds the run that a user names: by its id or a part of it, `latest`, `latest~1` for the one before the latest, the
 * name of a baseline, or a file that `touchstone export` wrote, which is read into memory. Throws `run-not-found`, or
 * `import-invalid` for a file that is not an export.
 */
async function findComparedRun(name: string, store: Store): Promise<FoundRun> {
  if (/\.jsonl?$/i.test(name) && existsSync(name)) {
    const memory = createMemoryStore();
    const run = await importRun(readDataFile(name, process.cwd(), 'jsonl'), memory);
    return { run, store: memory, file: name };
  }
  const id = (await store.readBaseline(name))?.run.id ?? name;
  return { run: await findRun(store, id), store };
}
