import type { RunOptions } from '../api/run.ts';
import type { Config } from '../config/config.ts';
import { loadEvaluation, toEvaluation } from '../config/load-evaluation.ts';
import { caseTitle } from '../report/case-title.ts';
import { selectCases } from '../run/prepare/select-cases.ts';
import { questionOf } from '../schema/case.ts';
import { withoutConditions } from '../schema/condition.ts';

/** The tests that a config makes. */
export interface TestPlan {
  /** Names of the targets that are not under a condition. */
  readonly targets: readonly string[];
  readonly cases: readonly { readonly id: string; readonly title: string }[];
}

/** Reads the config and the dataset, and calls nothing. Throws `TouchstoneError` for what is wrong with them. */
export async function planTests(config: Config | string, options: RunOptions): Promise<TestPlan> {
  const { folder = process.cwd() } = options;
  const { evaluation } = await (typeof config === 'string'
    ? loadEvaluation(config, options)
    : toEvaluation(config, folder, options));
  const cases: { id: string; title: string }[] = [];
  for await (const { case: asked } of selectCases(evaluation, () => {})) {
    cases.push({ id: asked.id, title: caseTitle(asked.id, questionOf(asked)) });
  }
  return { targets: withoutConditions(evaluation.targets).map(({ name }) => name), cases };
}
