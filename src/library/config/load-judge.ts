import { TouchstoneError } from '../../core/errors.ts';
import type { Judge } from '../../evaluate/judges/judge.ts';
import { explainProblems } from './config-problem.ts';
import { readConfig } from './load-config.ts';
import { createJudgeFinder } from './resolve-judge.ts';
import { hidesFilesIn } from './config.ts';
import { checkConfig } from './resolve.ts';

/** The judge of a config, ready to be asked. */
export interface LoadedJudge {
  readonly judge: Judge;
  /** True when judgements that earlier runs paid for count. */
  readonly reusesJudgements: boolean;
  /** True when it gets no pictures and other files. */
  readonly hidesFiles: boolean;
}

/**
 * Loads the judge of a config, which is a value, a file or its folder; its dataset, targets and metrics are not opened. Throws
 * `judge-missing` when it names none, and `TouchstoneError` for any problem with it.
 */
export async function loadJudge(given: object | string | undefined, from?: string): Promise<LoadedJudge> {
  const { written, folder, locate } = await readConfig(given, from);
  return await explainProblems(locate, async () => {
    const config = checkConfig(written);
    const judge = createJudgeFinder(config.judge, { folder, environment: process.env }).find(undefined, []);
    const hidesFiles = hidesFilesIn(config);
    if (judge !== undefined) return { judge, reusesJudgements: config.judgeCache, hidesFiles };
    throw new TouchstoneError('judge-missing', 'Answers are compared by a judge, and none is configured.');
  });
}
