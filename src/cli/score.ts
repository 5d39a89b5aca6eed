import path from 'node:path';
import type { Config } from '../config/config.ts';
import { type LoadedEvaluation, loadEvaluation, toEvaluation } from '../config/load-evaluation.ts';
import { parseFilter } from '../config/parse-filter.ts';
import { recordedColumns } from '../targets/replay/record-aliases.ts';
import { claimStdout } from './output.ts';
import { executeRun, type RunFlags } from './run.ts';
import { checkOutputs } from './write-report.ts';

/** The options of `touchstone score`, as the command line gives them. */
export interface ScoreFlags
  extends Pick<RunFlags, 'json' | 'verbose' | 'output' | 'filter' | 'limit' | 'failUnder' | 'store'> {
  readonly dataset?: string[];
  readonly config?: string;
}

/**
 * `touchstone score FILE`: scores recorded answers without calling anything. The file holds the expectations too, unless
 * `--dataset` names another that does.
 */
export async function scoreCommand(file: string, flags: ScoreFlags): Promise<number> {
  const output = claimStdout();
  checkOutputs(flags);
  return await executeRun(await loadScoring(file, flags), flags, output);
}

async function loadScoring(file: string, flags: ScoreFlags): Promise<LoadedEvaluation> {
  const overrides: Pick<Config, 'dataset' | 'targets'> & { gate?: Config['gate'] } = {
    dataset: flags.dataset?.map((each) => path.resolve(each)) ?? {
      path: path.resolve(file),
      fields: withoutRecorded(),
    },
    targets: [{ use: 'replay', name: path.basename(file, path.extname(file)), path: path.resolve(file) }],
  };
  const choices = {
    overrides,
    selects: flags.filter === undefined ? undefined : parseFilter(flags.filter),
    limit: flags.limit,
  };
  const { failUnder } = flags;
  const loaded =
    flags.config === undefined
      ? await toEvaluation({}, process.cwd(), choices)
      : await loadEvaluation(flags.config, choices);
  if (failUnder === undefined) return loaded;
  return { ...loaded, evaluation: { ...loaded.evaluation, gate: { ...loaded.evaluation.gate, failUnder } } };
}

/** In a file of expectations and recorded answers, the recorded part is no part of the cases. */
function withoutRecorded(): Record<string, false> {
  return Object.fromEntries(recordedColumns.map((column) => [column, false]));
}
