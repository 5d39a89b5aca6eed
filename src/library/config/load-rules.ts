import { processRateLimiter, refusalsOf } from '../../evaluate/models/account/rate-limiter.ts';
import type { CaseCheckRules } from '../../evaluate/run/prepare/case-check-rules.ts';
import type { ScoringRules } from '../../evaluate/run/prepare/begin-run.ts';
import type { Gate } from '../../core/schema/gate.ts';
import { explainProblems } from './config-problem.ts';
import { type CheckedConfig, type Config, hidesFilesIn } from './config.ts';
import { createKnownSecrets } from './known-secrets.ts';
import type { ConfigSource } from './load-config.ts';
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

/**
 * Resolves the metrics, scorecard and gate of a config, ready to score; its dataset and targets are not opened. Throws
 * `TouchstoneError` for any problem with them.
 */
export async function toRules(
  { written, folder, locate }: ConfigSource,
  overrides: Pick<Config, 'judgeCache' | 'judgeSamples' | 'faults' | 'perturb'> = {},
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

/** Resolves the gate of a config for a run with the given metrics and criteria. Throws `TouchstoneError`. */
export async function toGate({ written, folder, locate }: ConfigSource, names: GateNames): Promise<Gate> {
  return await explainProblems(locate, async () => resolveGate(checkConfig(written), folder, names));
}
