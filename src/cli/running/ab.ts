import { compareRuns } from '../../people/reviews/compare-runs.ts';
import type { TargetChoice } from '../../decide/analysis/compare/compared-run.ts';
import { findArms, loadArms, type NamedArms, parseOverride } from '../../library/config/arms/load-arms.ts';
import { parseCaseFilter } from '../../look/queries/filters.ts';
import { TouchstoneError } from '../../core/errors.ts';
import { showCommand } from '../../look/report/phrase.ts';
import type { RunComparison } from '../../core/schema/run-comparison.ts';
import type { Run } from '../../core/schema/run.ts';
import type { ReportResult } from '../execute-run.ts';
import { interrupted } from '../interrupts.ts';
import type { Output } from '../output.ts';
import type { ResultFiles, WrittenComparison } from '../result-files.ts';
import {
  chooseComparisonFiles,
  choicesOf,
  type ComparisonFlags,
  regressionExitCode,
  reportComparison,
} from './comparing.ts';
import { filesReadBy, storeFolderElsewhere, overridesOf, type RunFlags, runLoaded } from './run.ts';

/** The options of an A/B test. */
interface AbFlags extends ComparisonFlags, Omit<RunFlags, keyof ComparisonFlags> {
  readonly configs: readonly string[];
  /** The name of the target that is A. */
  readonly a?: string;
  /** The name of the target that is B. */
  readonly b?: string;
  /** The settings changed for B, `PATH=VALUE` each. */
  readonly set?: readonly string[];
}

/** Asks two targets every question side by side and compares them. Returns the exit code, which is 0 whatever the result. */
export async function runAb(flags: AbFlags, output: Output): Promise<number> {
  const files = chooseComparisonFiles(flags.output);
  const arms = await findArms(namedArms(flags));
  const { loaded, targets } = await loadArms(arms, {
    overrides: overridesOf(flags),
    selects: flags.filter === undefined ? undefined : parseCaseFilter(flags.filter),
    limit: flags.limit,
    git: true,
  });
  await files.check({ reads: filesReadBy(loaded, {}) });
  const store = flags.store ?? (await storeFolderElsewhere(loaded));
  const reportResult = compareArms(targets, { ...flags, store }, { output, files });
  return await runLoaded(loaded, { flags, output, reportResult });
}

function namedArms({ configs, a, b, set = [] }: AbFlags): NamedArms {
  if (configs.length <= 2) return { configs, a, b, overrides: set.map(parseOverride) };
  throw new TouchstoneError(
    'usage-invalid',
    `An A/B test compares two targets, but ${configs.length} configs are given.`,
    {
      remedy: 'Give at most two, or run them one by one and compare all: `touchstone compare RUN RUN RUN`.',
    },
  );
}

/** Returns a function that reports the result of an A/B test: the comparison in place of the report of a run. */
function compareArms(
  targets: TargetChoice,
  flags: AbFlags,
  place: { readonly output: Output; readonly files: ResultFiles<WrittenComparison> },
): ReportResult {
  return async (run, { store, wasInterrupted }) => {
    const runs = [
      { run, store },
      { run, store },
    ];
    const comparison = await compareRuns(runs, { ...choicesOf(flags), targets: [targets] });
    const code = (): number => {
      if (wasInterrupted) return interrupted;
      if (flags.failOnRegression === true) return regressionExitCode(comparison);
      return isMeasured(run, comparison) ? 0 : notMeasured;
    };
    const compared = { comparison, runs, storeFolder: flags.store };
    const exitCode = await reportComparison(compared, { flags, ...place, exitCode: code() });
    console.error(`\nEvery answer: ${showCommand({ run, storeFolder: flags.store }, '--verbose')}`);
    return exitCode;
  };
}

const notMeasured = 2;

function isKnown({ outcome }: RunComparison['comparisons'][number]['verdict']): boolean {
  return outcome !== 'not-enough-data' && outcome !== 'not-comparable';
}

function isMeasured({ status }: Run, { comparisons }: RunComparison): boolean {
  return status === 'completed' && comparisons.every(({ verdict }) => isKnown(verdict));
}
