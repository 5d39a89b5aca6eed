import { openDataset } from '../datasets/open-dataset.ts';
import { TouchstoneError } from '../errors.ts';
import { checkOnce } from '../lib/check-once.ts';
import { findReservedMember, isReservedName } from '../lib/reserved-name.ts';
import { watchAccounts } from '../models/account/find-account.ts';
import type { Evaluation } from '../run/evaluation.ts';
import { withDatasetProblems } from '../run/prepare/with-dataset-problems.ts';
import { type CheckedConfig, configSchema } from './config.ts';
import { ConfigProblem } from './config-problem.ts';
import { describeIssues } from './describe-issues.ts';
import { expandConditions } from './expand-conditions.ts';
import { createKnownSecrets } from './known-secrets.ts';
import { readers } from './read-data-file.ts';
import { refuseUntranslated } from './refuse-untranslated.ts';
import { resolveAttempts } from './resolve-attempts.ts';
import { resolveGate } from './resolve-gate.ts';
import { resolveMetrics } from './resolve-metrics.ts';
import type { ResolveNeeds } from './resolve-needs.ts';
import { resolveTargets } from './resolve-targets.ts';
import { resolveUsers } from './resolve-users.ts';

/** Checks the shape of a config and fills in its defaults. Throws `ConfigProblem`. */
export function checkConfig(written: unknown): CheckedConfig {
  const parsed = configSchema.safeParse(written, checkOnce);
  if (parsed.success) {
    refuseReservedNames(written, parsed.data);
    return parsed.data;
  }
  throw new ConfigProblem(describeIssues(parsed.error, written, configSchema));
}

/** A rule of a gate that is called `__proto__` would be lost, and so pass. Throws `ConfigProblem`. */
function refuseReservedNames(written: unknown, { gate }: CheckedConfig): void {
  const rule = Object.keys(gate.rules ?? {}).find(isReservedName);
  const path = rule === undefined ? findReservedMember(written) : ['gate', 'rules', rule];
  if (path === undefined) return;
  const message = `nothing can be called "${path.at(-1)}": every object has something of that name`;
  throw new ConfigProblem([{ path, message, isName: true }]);
}

/**
 * Turns a config into live pieces: every name in it is looked up, every option checked, every file it names found.
 * The only place that knows all extensions. Throws `TouchstoneError` or `ConfigProblem`.
 */
export async function resolveConfig(config: CheckedConfig, needs: ResolveNeeds): Promise<Evaluation> {
  const opened = await openDataset({
    ...datasetOptions(config.dataset),
    folder: needs.folder,
    readers,
  }).catch((error: unknown) => {
    if (error instanceof TouchstoneError) return error;
    throw error;
  });
  const resolved = await resolveTargets(config, needs).catch(async (error: unknown) => {
    throw await withDatasetProblems(error, opened);
  });
  if (opened instanceof TouchstoneError) throw opened;
  const { targets, notices } = expandConditions(resolved, config, needs);
  const dataset = opened;
  await refuseUntranslated(config, dataset);
  const { metrics, scorecard } = resolveMetrics(config, needs);
  return {
    description: config.description,
    dataset,
    selects: needs.selects ?? (() => true),
    limit: needs.limit ?? Number.POSITIVE_INFINITY,
    targets,
    notices,
    users: await resolveUsers(config, needs),
    metrics,
    scorecard,
    reusesJudgements: config.judgeCache,
    ...resolveAttempts(config),
    seed: config.seed,
    settings: {
      concurrency: config.concurrency,
      timeLimitMs: config.timeLimitMs,
      maxRetries: config.maxRetries,
      ...limitsOf(config),
    },
    watchAccounts,
    unread: config.unread,
    weights: config.weights,
    skipsDuplicates: isSkipping(config.dataset),
    gate: resolveGate(config, needs.folder, { metrics, scorecard }),
    secrets: createKnownSecrets(config, needs.environment),
  };
}

/** The limits of a run that are not there unless somebody sets them. */
function limitsOf({
  trialTimeLimitMs,
  maxDurationMs,
  maxRunRetries,
  maxCost,
  stopAfterFailures,
}: CheckedConfig): Partial<Evaluation['settings']> {
  const limits = { trialTimeLimitMs, maxDurationMs, maxRunRetries, maxCost, stopAfterFailures };
  return Object.fromEntries(Object.entries(limits).filter(([, limit]) => limit !== undefined));
}

function isSkipping(dataset: CheckedConfig['dataset']): boolean {
  return typeof dataset === 'object' && !Array.isArray(dataset) && dataset.duplicates === 'skip';
}

function datasetOptions(dataset: CheckedConfig['dataset']) {
  const options = typeof dataset === 'string' || Array.isArray(dataset) ? { path: dataset } : dataset;
  return { ...options, paths: [options.path].flat() };
}
