import { checkOutputFiles } from '../../library/api/output-files.ts';
import { exitCodeAfterWriting } from '../write-report.ts';
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
import { claimStdout, type Output } from '../output.ts';
import {
  type ComparisonFlags,
  readComparisonFlags,
  regressionExitCode,
  printComparison,
} from './print-comparison.ts';
import { filesReadBy, storeFolderElsewhere, overridesOf, type RunFlags, runLoaded } from './run.ts';

/** The options of `touchstone ab`, as parsed from the command line. */
export interface AbFlags
  extends ComparisonFlags,
    Omit<RunFlags, 'target' | 'faults' | 'perturb' | 'failUnder' | 'baseline'> {
  /** The name of the target that is A. */
  readonly a?: string;
  /** The name of the target that is B. */
  readonly b?: string;
  /** The settings changed for B, `PATH=VALUE` each. */
  readonly set?: readonly string[];
}

/**
 * Runs `touchstone ab [config] [config]`: asks two targets every question side by side and compares them. Returns the
 * exit code, which is 0 when they were compared, whatever the result.
 */
export async function abCommand(configs: readonly string[], flags: AbFlags): Promise<number> {
  const output = claimStdout();
  readComparisonFlags(flags);
  const arms = await findArms(namedArms(configs, flags));
  const { loaded, targets } = await loadArms(arms, {
    overrides: overridesOf(flags),
    selects: flags.filter === undefined ? undefined : parseCaseFilter(flags.filter),
    limit: flags.limit,
    git: true,
  });
  await checkOutputFiles(flags.output ?? [], { reads: filesReadBy(loaded, {}) });
  const store = flags.store ?? storeFolderElsewhere(loaded);
  const reportResult = compareArms(targets, { ...flags, ...(store !== undefined && { store }) }, output);
  return await runLoaded(loaded, { flags, output, reportResult });
}

function namedArms(configs: readonly string[], { a, b, set = [] }: AbFlags): NamedArms {
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
function compareArms(targets: TargetChoice, flags: AbFlags, output: Output): ReportResult {
  return async (run, { store, wasInterrupted }) => {
    const kept = { run, store };
    const comparison = await compareRuns([kept, kept], {
      ...readComparisonFlags(flags),
      targets: [targets],
    });
    const code = (): number => {
      if (wasInterrupted) return interrupted;
      if (flags.failOnRegression === true) return regressionExitCode(comparison);
      return isMeasured(run, comparison) ? 0 : notMeasured;
    };
    const exitCode = await exitCodeAfterWriting(code(), () =>
      printComparison({ comparison, storeFolder: flags.store }, flags, output),
    );
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
