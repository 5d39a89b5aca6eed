import type { Summary } from '../../../core/schema/summary.ts';
import type { Result } from '../../../core/schema/result.ts';
import type { Run } from '../../../core/schema/run.ts';
import { createLocalExecutor } from '../../../evaluate/executors/local.ts';
import type { StopSignals } from '../../../evaluate/run/limits/run-control.ts';
import { neverStopped, type RunObserver } from '../../../evaluate/run/run-needs.ts';
import type { Config } from '../../config/config.ts';
import {
  type EvaluationChoices,
  loadEvaluation,
  type LoadedEvaluation,
} from '../../config/load-evaluation.ts';
import { readFromStore, type StoreChoice } from '../open-store.ts';
import type { GateChoice } from './join-gate.ts';
import { makeRun, type ReadyOptions, readyRun, type RunPlace, withGate, withRunStore } from './make-run.ts';

/** Options of a run besides the config. */
export interface RunOptions extends EvaluationChoices, ReadyOptions, GateChoice, RunPlace {
  readonly observer?: RunObserver;
  readonly signals?: StopSignals;
}

/** The report of a finished run. */
export interface RunReport {
  readonly run: Run;
  readonly summary: Summary;
  /** Every trial with its case, verdicts and score, in the order of the plan; can be read more than once. */
  results(): AsyncIterable<Result>;
}

/**
 * Runs an evaluation from a config value, or from a config file or its folder, as `touchstone run` does.
 * @throws TouchstoneError for what is wrong with the config, the dataset, the targets or the baseline, before anything is asked.
 */
export async function run(config: Config | string, options: RunOptions = {}): Promise<RunReport> {
  const { overrides, targetNames, selects, limit, git, datasetFlags, rateLimiter } = options;
  const choices = { overrides, targetNames, selects, limit, git, datasetFlags, rateLimiter };
  return await runLoaded(await loadEvaluation(config, choices, options.folder), options);
}

/** Runs what a config asks for, in the store of the options or else of the config. */
export async function runLoaded(
  loaded: LoadedEvaluation,
  { observer = {}, signals = neverStopped, ...options }: RunOptions,
): Promise<RunReport> {
  const folder = options.store === undefined ? loaded.folder : options.folder;
  const gated = withGate(loaded, options, options.folder);
  const purpose = options.resume === undefined && options.failedOf === undefined ? 'new' : 'continued';
  return await withRunStore(gated, options, purpose, async (store) => {
    const needs = { store, executor: createLocalExecutor(), observer, signals };
    const finished = await makeRun(await readyRun(gated, store, options), needs);
    return reportOf(finished, { folder, config: gated.config, store: options.store });
  });
}

/** Returns the report of a run that has ended, whose results are read from the store of a choice. */
export function reportOf(run: Run, choice: StoreChoice): RunReport {
  return {
    run,
    summary: run.summary as Summary,
    results: () => readFromStore(choice, (opened) => opened.readResults(run.id)),
  };
}
