import { openDataset, readRows } from '../datasets/open-dataset.ts';
import * as datasetReaders from '../datasets/registry.ts';
import { TouchstoneError } from '../errors.ts';
import type { NamedUse } from '../lib/define.ts';
import type { Metric, MetricNeeds } from '../metrics/metric.ts';
import * as metricExports from '../metrics/registry.ts';
import type { Evaluation, LiveMetric, LiveScorecard, LiveTarget } from '../run/evaluation.ts';
import type { Case } from '../schema/case.ts';
import type { Scorecard } from '../scorecards/scorecard.ts';
import * as scorecardExports from '../scorecards/registry.ts';
import * as targetExports from '../targets/registry.ts';
import type { Target, TargetNeeds } from '../targets/target.ts';
import { type CheckedConfig, configSchema } from './config.ts';
import { describeIssues } from './describe-issues.ts';
import { ConfigProblem, createRegistry, resolveUse } from './resolve-use.ts';

const metricRegistry = createRegistry<'metric', Metric, MetricNeeds>('metric', metricExports);
const scorecardRegistry = createRegistry<'scorecard', Scorecard, Record<never, never>>(
  'scorecard',
  scorecardExports,
);
const targetRegistry = createRegistry<'target', Target, TargetNeeds>('target', targetExports);
const readers = Object.values(datasetReaders);

/** What the caller adds to a config. */
export interface ResolveNeeds {
  /** The folder of the config file: paths in it are relative to that. */
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Names of the targets to keep; all when left out. */
  readonly targetNames?: readonly string[] | undefined;
  readonly selects?: ((testCase: Case) => boolean) | undefined;
  readonly limit?: number | undefined;
}

/** Checks the shape of a config and fills in its defaults. Throws `ConfigProblem`. */
export function checkConfig(written: unknown): CheckedConfig {
  const parsed = configSchema.safeParse(written);
  if (parsed.success) return parsed.data;
  throw new ConfigProblem(describeIssues(parsed.error, Object.keys(configSchema.shape)));
}

/**
 * Turns a config into live pieces: every name in it is looked up, every option checked, every file it names found.
 * The only place that knows all extensions. Throws `TouchstoneError` or `ConfigProblem`.
 */
export async function resolveConfig(config: CheckedConfig, needs: ResolveNeeds): Promise<Evaluation> {
  const targets = keepNamed(resolveTargets(config, needs), needs.targetNames);
  const scorecard = resolveScorecard(config);
  return {
    description: config.description,
    dataset: await openDataset({ ...datasetOptions(config.dataset), folder: needs.folder, readers }),
    selects: needs.selects ?? (() => true),
    limit: needs.limit ?? Number.POSITIVE_INFINITY,
    targets,
    ...resolveMetrics(config, scorecard),
    attempts: config.attempts,
    seed: config.seed,
    settings: {
      concurrency: config.concurrency,
      timeLimitMs: config.timeLimitMs,
      maxRetries: config.maxRetries,
    },
    gate: config.gate,
  };
}

/** Reads the rows of a data file of any known format, relative to a folder. */
export function readDataFile(file: string, folder: string): ReturnType<typeof readRows> {
  return readRows({ path: file, folder, readers });
}

function datasetOptions(dataset: CheckedConfig['dataset']) {
  const options = typeof dataset === 'string' || Array.isArray(dataset) ? { path: dataset } : dataset;
  return { ...options, paths: [options.path].flat() };
}

function resolveTargets(config: CheckedConfig, { folder, environment }: ResolveNeeds): LiveTarget[] {
  const needs: TargetNeeds = { folder, environment, readRows: (file) => readDataFile(file, folder) };
  const targets = config.targets.map((use, index) => {
    const { instance, ...rest } = resolveUse(use, ['targets', index], targetRegistry, needs);
    return { name: rest.name, use: rest.use, fingerprint: rest.fingerprint, target: instance };
  });
  refuseDuplicates('targets', targets);
  return targets;
}

function keepNamed(targets: LiveTarget[], names: readonly string[] | undefined): LiveTarget[] {
  if (names === undefined || names.length === 0) return targets;
  const known = targets.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new TouchstoneError('usage-invalid', `No target is named "${unknown}".`, {
      remedy: `Choose from ${known.join(', ')}.`,
    });
  }
  return targets.filter(({ name }) => names.includes(name));
}

interface NamedScorecard {
  readonly name: string;
  readonly use: NamedUse;
  readonly version: number;
  readonly instance: Scorecard;
}

function resolveScorecard({ scorecard }: CheckedConfig): NamedScorecard | null {
  return scorecard === null ? null : resolveUse(scorecard, ['scorecard'], scorecardRegistry, {});
}

/** The metrics of the scorecard's criteria first, then those asked for beside it that are not among them. */
function resolveMetrics(
  config: CheckedConfig,
  scorecard: NamedScorecard | null,
): { metrics: LiveMetric[]; scorecard: LiveScorecard | null } {
  const metrics: LiveMetric[] = [];
  const add = (use: NamedUse | string, at: readonly PropertyKey[]): string => {
    const { instance, ...resolved } = resolveUse(use, at, metricRegistry, {});
    const same = metrics.find(
      ({ name, fingerprint }) => name === resolved.name && fingerprint === resolved.fingerprint,
    );
    if (same === undefined) metrics.push({ ...resolved, metric: instance });
    return resolved.name;
  };
  const criteria = scorecard?.instance.criteria.map((criterion, index) => ({
    ...criterion,
    metric: add(criterion.metric, ['scorecard', 'criteria', index, 'metric']),
  }));
  for (const [index, use] of config.metrics.entries()) add(use, ['metrics', index]);
  refuseDuplicates('metrics', metrics);
  if (scorecard === null) return { metrics, scorecard: null };
  const { name, use, version, instance } = scorecard;
  const { passMark } = instance;
  const rule = { passMark, grades: [...instance.grades], criteria: criteria ?? [] };
  return {
    metrics,
    scorecard: { name, use, version, ...rule, evaluate: (verdicts) => instance.evaluate(verdicts) },
  };
}

function refuseDuplicates(setting: string, named: readonly { readonly name: string }[]): void {
  const names = named.map(({ name }) => name);
  const index = names.findIndex((name, at) => names.indexOf(name) !== at);
  if (index === -1) return;
  const message = `two are named "${names[index]}"; give one of them another \`name\``;
  throw new ConfigProblem([{ path: [setting, index], message }]);
}
