import path from 'node:path';
import type { Config } from '../config/config.ts';
import { type LoadedEvaluation, loadEvaluation, toEvaluation } from '../config/load-evaluation.ts';
import { parseFilter } from '../config/parse-filter.ts';
import { recordedColumns } from '../targets/replay/record-aliases.ts';
import { claimStdout } from './output.ts';
import { executeRun } from './execute-run.ts';
import { judgeCacheOf, openRunStore, type RunFlags, withGate } from './run.ts';
import { checkOutputs } from './write-report.ts';

/** The options of `touchstone score`, as the command line gives them. */
export interface ScoreFlags
  extends Pick<
    RunFlags,
    'json' | 'verbose' | 'output' | 'filter' | 'limit' | 'failUnder' | 'store' | 'cache'
  > {
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
  const loaded = withGate(await loadScoring(file, flags), flags.failUnder);
  const store = openRunStore(loaded, flags.store);
  const sayHowToGoOn = () => 'Run the same command again: no target is called, and no judge is asked twice.';
  try {
    return await executeRun(loaded, { store, output, choices: flags, sayHowToGoOn });
  } finally {
    await store.close();
  }
}

async function loadScoring(file: string, flags: ScoreFlags): Promise<LoadedEvaluation> {
  const overrides: Partial<Config> = {
    ...judgeCacheOf(flags),
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
  return flags.config === undefined
    ? await toEvaluation({}, process.cwd(), choices)
    : await loadEvaluation(flags.config, choices);
}

/** In a file of expectations and recorded answers, the recorded part is no part of the cases. */
function withoutRecorded(): Record<string, false> {
  return Object.fromEntries(recordedColumns.map((column) => [column, false]));
}
