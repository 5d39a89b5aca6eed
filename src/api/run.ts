import type { Config } from '../config/config.ts';
import { type EvaluationChoices, loadEvaluation, toEvaluation } from '../config/load-evaluation.ts';
import { openStoreOf } from '../config/open-store-of.ts';
import { TouchstoneError } from '../errors.ts';
import { createLocalExecutor } from '../executors/local.ts';
import type { StopSignals } from '../run/limits/run-control.ts';
import { run as runEvaluation } from '../run/run.ts';
import { neverStopped, type RunObserver } from '../run/run-needs.ts';
import type { Result } from '../schema/result.ts';
import type { Run } from '../schema/run.ts';
import type { Summary } from '../schema/summary.ts';
import type { Store } from '../stores/store.ts';
import { withTelemetry } from '../telemetry/with-telemetry.ts';

/** Options of a run beside the config. */
export interface RunOptions extends EvaluationChoices {
  /** The folder that relative paths of a config value start from; the current one when left out. */
  readonly folder?: string;
  /** The store of the runs; the SQLite file that the config names when left out. A store given here stays open. */
  readonly store?: Store;
  readonly observer?: RunObserver;
  readonly signals?: StopSignals;
  /** The id of an interrupted run to resume. */
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
  const { folder = process.cwd(), observer = {}, signals = neverStopped, resume, ...choices } = options;
  const loaded = await (typeof config === 'string'
    ? loadEvaluation(config, choices)
    : toEvaluation(config, folder, choices));
  const open = () => options.store ?? openStoreOf(loaded);
  const close = async (store: Store) => {
    if (options.store === undefined) await store.close();
  };
  const store = open();
  try {
    const needs = { store, executor: createLocalExecutor(), observer, signals };
    const kept = resume === undefined ? undefined : await findKept(resume, store);
    const finished = await withTelemetry(loaded.config.telemetry, needs, (watched) =>
      runEvaluation(loaded.evaluation, watched, kept),
    );
    return {
      run: finished,
      summary: finished.summary as Summary,
      results: () => readResults(finished.id, open, close),
    };
  } finally {
    await close(store);
  }
}

/** Finds a run by its id. Throws `run-not-found`. */
export async function findKept(runId: string, store: Store): Promise<Run> {
  const run = await store.readRun(runId);
  if (run === undefined) throw new TouchstoneError('run-not-found', `There is no run ${runId}.`);
  return run;
}

/** Yields the results of a run from a store that is open while they are read. */
export async function* readResults(
  runId: string,
  open: () => Store,
  close: (store: Store) => Promise<void>,
): AsyncGenerator<Result> {
  const store = open();
  try {
    yield* store.readResults(runId);
  } finally {
    await close(store);
  }
}
