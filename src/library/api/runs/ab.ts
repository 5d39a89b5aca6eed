import type { CompareChoices } from '../../../decide/analysis/compare/compare-runs.ts';
import { compareRuns } from '../../../people/reviews/compare-runs.ts';
import type { Config } from '../../config/config.ts';
import { loadArms } from '../../config/arms/load-arms.ts';
import { readConfig } from '../../config/load-config.ts';
import { createLocalExecutor } from '../../../evaluate/executors/local.ts';
import { neverStopped } from '../../../evaluate/run/run-needs.ts';
import type { RunComparison } from '../../../core/schema/run-comparison.ts';
import type { Run } from '../../../core/schema/run.ts';
import { makeRun, readyRun, withRunStore } from './make-run.ts';
import type { RunOptions } from './run.ts';

/** Options of an A/B test besides its two sides. */
export interface AbOptions
  extends Omit<RunOptions, 'targetNames' | 'failUnder' | 'baseline' | 'sequential'>,
    Omit<CompareChoices, 'targets' | 'review'> {
  /** The targets that are A and B when a config has several. */
  readonly targets?: { readonly a?: string; readonly b?: string };
}

/** The report of a finished A/B test. */
export interface AbReport {
  /** The run over both targets. Its status shows whether everything was asked. */
  readonly run: Run;
  readonly comparison: RunComparison;
}

/**
 * Asks two targets every question side by side and in turns, so that the time of day favours neither, and compares
 * them, as `touchstone ab` does. Configs are values, files or folders; only their targets may differ.
 * @throws TouchstoneError when both are the same target or more than the target differs, and for an invalid config,
 * before anything is asked.
 */
export async function ab(a: Config | string, b: Config | string, options: AbOptions = {}): Promise<AbReport> {
  const { folder, observer = {}, signals = neverStopped, targets: named = {} } = options;
  const { flips, margin, overrides, selects, limit, git, datasetFlags, rateLimiter, resume } = options;
  const { loaded, targets } = await loadArms(
    [
      { ...(await readConfig(a, folder)), target: named.a },
      { ...(await readConfig(b, folder)), target: named.b },
    ],
    { overrides, selects, limit, git, datasetFlags, rateLimiter },
  );
  const purpose = resume === undefined ? 'new' : 'continued';
  return await withRunStore(loaded, options, purpose, async (store) => {
    const needs = { store, executor: createLocalExecutor(), observer, signals };
    const run = await makeRun(await readyRun(loaded, store, options), needs);
    const sides = { run, store };
    const comparison = await compareRuns([sides, sides], { targets: [targets], flips, margin });
    return { run, comparison };
  });
}
