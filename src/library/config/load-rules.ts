import { processRateLimiter, refusalsOf } from '../../evaluate/models/account/rate-limiter.ts';
import type { CaseCheckRules } from '../../evaluate/run/prepare/case-check-rules.ts';
import type { ScoringRules } from '../../evaluate/run/prepare/begin-run.ts';
import type { Gate } from '../../core/schema/gate.ts';
import { explainProblems, type LocateSetting } from './config-problem.ts';
import { type CheckedConfig, type Config, hidesFilesIn } from './config.ts';
import { createKnownSecrets } from './known-secrets.ts';
import { findConfig, loadConfig } from './load-config.ts';
import { withOverrides } from './load-evaluation.ts';
import { type GateNames, resolveAttempts, resolveGate } from './resolve-gate.ts';
import { resolveMetrics } from './resolve-metrics.ts';
import { checkConfig } from './resolve.ts';

/** The rules by which stored answers are scored, and where the config has results sent. */
export interface LoadedRules extends ScoringRules {
  readonly telemetry?: CheckedConfig['telemetry'];
  /** The server that gets each run when it ends. */
  readonly report?: CheckedConfig['report'];
  /** The rules for the checks that cases bring along. */
  readonly caseChecks: CaseCheckRules;
}

/** Settings that replace the config's. */
type RuleOverrides = Pick<Config, 'judgeCache' | 'judgeSamples' | 'faults' | 'perturb'>;

/**
 * Loads the metrics, scorecard and gate of a config file, ready to score; its dataset and targets are not opened. Throws
 * `TouchstoneError` for any problem with them.
 */
export async function loadRules(
  configPath: string | undefined,
  overrides: RuleOverrides = {},
): Promise<LoadedRules> {
  const { written, folder, locate } = await loadConfig(await findConfig(configPath));
  return await toRules(written, folder, overrides, locate);
}

/** Returns the same for a config that is passed as a value. */
export async function toRules(
  written: unknown,
  folder: string,
  overrides: RuleOverrides = {},
  locate: LocateSetting = async () => 'config',
): Promise<LoadedRules> {
  return await explainProblems(locate, async () => {
    const config = checkConfig(withOverrides(written, overrides));
    const rules = resolveMetrics(config, { folder, environment: process.env });
    return {
      ...rules,
      caseRule: resolveAttempts(config).caseRule,
      reusesJudgements: config.judgeCache,
      hidesFiles: hidesFilesIn(config),
      watchAccounts: processRateLimiter.watchAccounts,
      readRefused: () => refusalsOf(processRateLimiter.readBusyAccounts()),
      telemetry: config.telemetry,
      report: config.report,
      gate: resolveGate(config, folder, rules),
      unread: config.unread,
      weights: config.weights,
      secrets: createKnownSecrets(config, process.env),
    };
  });
}

/** Loads the gate of a config file for a run with the given metrics and criteria. Throws `TouchstoneError`. */
export async function loadGate(configPath: string, names: GateNames): Promise<Gate> {
  const { written, folder, locate } = await loadConfig(await findConfig(configPath));
  return await toGate(written, folder, names, locate);
}

/** Returns the gate of a config that is passed as a value. Throws the errors of `loadGate`. */
export async function toGate(
  written: unknown,
  folder: string,
  names: GateNames,
  locate: LocateSetting = async () => 'config',
): Promise<Gate> {
  return await explainProblems(locate, async () => resolveGate(checkConfig(written), folder, names));
}
