import path from 'node:path';
import type { Config } from '../config/config.ts';
import { storeFileIn } from '../config/load-evaluation.ts';
import { loadRules, toRules } from '../config/load-rules.ts';
import { createLocalExecutor } from '../executors/local.ts';
import { rescore as rescoreRun } from '../run/rescore.ts';
import { neverStopped } from '../run/run-needs.ts';
import type { Summary } from '../schema/summary.ts';
import { openSqliteStore } from '../stores/sqlite/sqlite.ts';
import { withTelemetry } from '../telemetry/with-telemetry.ts';
import { findKept, type RunOptions, type RunReport, readResults } from './run.ts';

/** Options of rescoring beside the rules. */
export type RescoreOptions = Pick<RunOptions, 'folder' | 'store' | 'observer' | 'signals'>;

/**
 * Scores the stored answers of a run by the metrics, scorecard, judge and gate of a config, as a run of its own. No
 * target is called, and no judge is asked a question twice.
 * @param runId - A run in `options.store`, else in `.touchstone` of the folder.
 * @throws TouchstoneError for a run that does not exist, and for an invalid config.
 */
export async function rescore(
  runId: string,
  config: Config | string,
  options: RescoreOptions = {},
): Promise<RunReport> {
  const { folder = process.cwd(), observer = {}, signals = neverStopped } = options;
  const rules = await (typeof config === 'string' ? loadRules(config) : toRules(config, folder));
  const open = () => options.store ?? openSqliteStore(storeFileIn(path.resolve(folder, '.touchstone')));
  const store = open();
  const close = async (opened: typeof store) => {
    if (options.store === undefined) await opened.close();
  };
  try {
    const needs = { store, executor: createLocalExecutor(), observer, signals };
    const source = await findKept(runId, store);
    const finished = await withTelemetry(rules.telemetry, needs, (watched) =>
      rescoreRun(source, rules, watched),
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
