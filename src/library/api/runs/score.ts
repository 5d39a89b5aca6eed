import path from 'node:path';
import type { GateChoice } from './join-gate.ts';
import { loadScoring, type ScoringFlags } from './load-scoring.ts';
import { type RunOptions, type RunReport, runLoaded } from './run.ts';

/** Options of scoring recorded answers. */
export interface ScoreOptions
  extends ScoringFlags,
    Pick<RunOptions, 'folder' | 'store' | 'observer' | 'signals'>,
    Omit<GateChoice, 'sequential'> {}

/**
 * Scores recorded answers as a run of its own, as `touchstone score` does. No target is called; judges are asked what they
 * have not answered before.
 * @param file - Rows with question, expectations and answer, or only answers where `dataset` names the cases; relative to the
 *   folder, as the other files are.
 * @throws TouchstoneError for what is wrong with the file, the dataset or the config.
 */
export async function score(file: string, options: ScoreOptions = {}): Promise<RunReport> {
  const { folder = process.cwd(), dataset, config } = options;
  const flags = {
    ...options,
    dataset: dataset?.map((each) => path.resolve(folder, each)),
    config: config === undefined ? undefined : path.resolve(folder, config),
  };
  return await runLoaded(await loadScoring(path.resolve(folder, file), flags, folder), options);
}
