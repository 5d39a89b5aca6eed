import type { ScoringRules } from '../run/begin-run.ts';
import type { Config } from './config.ts';
import { explainProblems, type LocateSetting } from './explain-problems.ts';
import { findConfig } from './find-config.ts';
import { loadConfig } from './load-config.ts';
import { checkConfig } from './resolve.ts';
import { resolveGate } from './resolve-gate.ts';
import { resolveMetrics } from './resolve-metrics.ts';

/**
 * The metrics, scorecard and gate of a config file, ready to score; its dataset and targets are not touched.
 * Throws `TouchstoneError` for all that is wrong with them.
 */
export async function loadRules(
  given: string | undefined,
  overrides: Pick<Config, 'judgeCache' | 'faults' | 'perturb'> = {},
): Promise<ScoringRules> {
  const { written, folder, locate } = await loadConfig(await findConfig(given));
  return await toRules({ ...(written as object), ...overrides }, folder, locate);
}

/** The same of a config that is at hand as a value. */
export async function toRules(
  written: unknown,
  folder: string,
  locate: LocateSetting = () => 'config',
): Promise<ScoringRules> {
  return await explainProblems(locate, () => {
    const config = checkConfig(written);
    const rules = resolveMetrics(config, { folder, environment: process.env });
    return {
      ...rules,
      reusesJudgements: config.judgeCache,
      gate: resolveGate(config, folder, rules),
    };
  });
}
