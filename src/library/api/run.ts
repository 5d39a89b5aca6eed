import type { Config } from '../config/config.ts';
import {
  type EvaluationChoices,
  loadEvaluation,
  type LoadedEvaluation,
  toEvaluation,
} from '../config/load-evaluation.ts';
import { openStoreOf } from '../config/open-store-of.ts';
import { type RunPurpose, withPurpose } from '../config/run-purpose.ts';
import { createLocalExecutor } from '../../evaluate/executors/local.ts';
import { findRun } from '../../look/queries/runs.ts';
import type { StopSignals } from '../../evaluate/run/limits/run-control.ts';
import { run as runEvaluation } from '../../evaluate/run/run.ts';
import { neverStopped, type RunObserver } from '../../evaluate/run/run-needs.ts';
import type { Result } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Summary } from '../../core/schema/summary.ts';
import type { Store } from '../../stores/store.ts';
import { readFrom } from './open-store.ts';
import { withTelemetry } from '../../exchange/telemetry/with-telemetry.ts';

/** Options of a run besides the config. */
export interface RunOptions extends EvaluationChoices, RunPurpose {
  /** The folder that relative paths of a config value start from; the current one by default. */
  readonly folder?: string;
  /** The store of the runs; the SQLite file that the config names by default. A store given here stays open. */
  readonly store?: Store;
  readonly observer?: RunObserver;
  readonly signals?: StopSignals;
  /** The interrupted run to resume: its id, a part of it, `latest`, `latest~1`, the name of a baseline, or its own name. */
  readonly resume?: string;
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
 * @throws TouchstoneError for what is wrong with the config, the dataset or the targets, before anything is asked.
 */
export async function run(config: Config | string, options: RunOptions = {}): Promise<RunReport> {
  const {
    folder = process.cwd(),
    overrides,
    targetNames,
    selects,
    limit,
    git,
    datasetFlags,
    rateLimiter,
  } = options;
  const choices = { overrides, targetNames, selects, limit, git, datasetFlags, rateLimiter };
  const loaded = await (typeof config === 'string'
    ? loadEvaluation(config, choices)
    : toEvaluation(config, folder, choices));
  return await runLoaded(loaded, options);
}

/** Runs what a config asks for, in the store of the options or else of the config. */
export async function runLoaded(
  loaded: LoadedEvaluation,
  { observer = {}, signals = neverStopped, store: ownStore, resume, name, note, tags, failedOf }: RunOptions,
): Promise<RunReport> {
  const open = () => ownStore ?? openStoreOf(loaded);
  const store = open();
  try {
    const needs = { store, executor: createLocalExecutor(), observer, signals };
    const resumed = resume === undefined ? undefined : await findRun(store, resume);
    const evaluation = await withPurpose(loaded.evaluation, store, {
      name,
      note,
      tags,
      failedOf,
      resumed,
    });
    const finished = await withTelemetry(loaded.config.telemetry, needs, (watched) =>
      runEvaluation(evaluation, watched, resumed),
    );
    return {
      run: finished,
      summary: finished.summary as Summary,
      results: () =>
        readFrom({ ownStore, open: async () => open() }, (opened) => opened.readResults(finished.id)),
    };
  } finally {
    if (ownStore === undefined) await store.close();
  }
}
