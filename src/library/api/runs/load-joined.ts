import { withoutConditions } from '../../../core/schema/condition.ts';
import type { Run } from '../../../core/schema/run.ts';
import { conditionsOfRun } from '../../config/conditions/condition-setting.ts';
import type { Config } from '../../config/config.ts';
import {
  type EvaluationChoices,
  loadEvaluation,
  type LoadedEvaluation,
} from '../../config/load-evaluation.ts';

/** Loads a config for a process that helps with a run, with the settings of the run that its command line may have changed. */
export async function loadJoined(
  config: string | undefined,
  run: Run,
  { overrides, rateLimiter }: EvaluationChoices,
): Promise<LoadedEvaluation> {
  const { attempts, caseRule, seed } = run;
  const rule: Partial<Config> = { passes: caseRule?.passes, curtail: caseRule?.isCurtailed };
  const loaded = await loadEvaluation(config, {
    overrides: { ...conditionsOfRun(run), attempts, seed, ...rule, ...overrides },
    targetNames: withoutConditions(run.targets).map(({ name }) => name),
    rateLimiter,
  });
  return { ...loaded, evaluation: { ...loaded.evaluation, settings: run.settings } };
}
