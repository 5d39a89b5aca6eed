import path from 'node:path';
import type { Config } from '../config/config.ts';
import { loadRules, toRules } from '../config/load-rules.ts';
import { createLocalExecutor } from '../../evaluate/executors/local.ts';
import { findRun } from '../../look/queries/runs.ts';
import { rescore as rescoreRun } from '../../evaluate/run/rescore.ts';
import { neverStopped } from '../../evaluate/run/run-needs.ts';
import type { Summary } from '../../core/schema/summary.ts';
import { withTelemetry } from '../../exchange/telemetry/with-telemetry.ts';
import { loadScoring, type ScoringFlags } from './load-scoring.ts';
import { readFromStore, withWritableStore } from './open-store.ts';
import { type RunOptions, type RunReport, runLoaded } from './run.ts';

/** Options of rescoring besides the rules. */
export type RescoreOptions = Pick<RunOptions, 'folder' | 'store' | 'observer' | 'signals'>;

/**
 * Scores the stored answers of a run by the metrics, scorecard, judge and gate of a config, as a run of its own. No
 * target is called, and no judge is asked a question twice.
 * @param runId - A run by its id, a part of it, `latest`, `latest~1`, the name of a baseline, or its own name.
 * @throws TouchstoneError for a run that does not exist, and for an invalid config.
 */
export async function rescore(
  runId: string,
  config: Config | string,
  options: RescoreOptions = {},
): Promise<RunReport> {
  const { folder = process.cwd(), observer = {}, signals = neverStopped } = options;
  const rules = await (typeof config === 'string' ? loadRules(config) : toRules(config, folder));
  const choice = { ...options, config };
  return await withWritableStore(choice, async (store) => {
    const needs = { store, executor: createLocalExecutor(), observer, signals };
    const source = await findRun(store, runId);
    const finished = await withTelemetry(rules.telemetry, needs, (watched) =>
      rescoreRun(source, rules, watched),
    );
    return {
      run: finished,
      summary: finished.summary as Summary,
      results: () => readFromStore(choice, (opened) => opened.readResults(finished.id)),
    };
  });
}

/** Options of scoring recorded answers. */
export interface ScoreOptions
  extends Omit<ScoringFlags, 'cache'>,
    Pick<RunOptions, 'folder' | 'store' | 'observer' | 'signals'> {}

/**
 * Scores recorded answers as a run of its own, as `touchstone score` does. No target is called; judges are asked what they
 * have not answered before.
 * @param file - Rows with question, expectations and answer, or only answers where `dataset` names the cases; relative to the
 *   folder, as the other files are.
 * @throws TouchstoneError for what is wrong with the file, the dataset or the config.
 */
export async function score(file: string, options: ScoreOptions = {}): Promise<RunReport> {
  const { folder = process.cwd(), dataset, config } = options;
  const loaded = await loadScoring(
    path.resolve(folder, file),
    {
      ...options,
      ...(dataset !== undefined && { dataset: dataset.map((each) => path.resolve(folder, each)) }),
      ...(config !== undefined && { config: path.resolve(folder, config) }),
    },
    folder,
  );
  return await runLoaded(loaded, options);
}
