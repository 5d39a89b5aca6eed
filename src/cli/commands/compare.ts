import { withNamedRuns } from '../../library/api/named-runs.ts';
import { checkOutputFiles } from '../../library/api/output-files.ts';
import { exitCodeAfterWriting } from '../write-report.ts';
import { compareRuns } from '../../people/reviews/compare-runs.ts';
import type { TargetChoice } from '../../decide/analysis/compare/compared-run.ts';
import { readComparisonAnswers } from '../../server/comparison-answers.ts';
import { writePage } from '../../look/reporters/html-page.ts';
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
  return await withNamedRuns(names, { store: flags.store }, async (runs, store) => {
    await checkOutputFiles(flags.output ?? [], { store, reads: names });
    const comparison = await compareRuns(runs, { ...choices, targets: flags.target?.map(parseTargets) });
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
  });
}

/** The most that a page contains. */
const pageLimits = { cases: 2_000, bytes: 20_000_000 };

function parseTargets(text: string): TargetChoice {
  const [, a = text, b = text] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  return { a, b };
}
