import { openDataset, readRows } from '../datasets/open-dataset.ts';
import * as datasetReaders from '../datasets/registry.ts';
import { TouchstoneError } from '../errors.ts';
import { hashContent } from '../lib/content-hash.ts';
import type { Judge } from '../judges/judge.ts';
import type { NamedUse } from '../lib/define.ts';
import { didYouMean } from '../lib/nearest-name.ts';
import type { Metric, MetricDefinition, MetricNeeds } from '../metrics/metric.ts';
import * as metricExports from '../metrics/registry.ts';
import type { Embedder } from '../models/embedder.ts';
import * as embedderExports from '../models/embedders/registry.ts';
import type { ChatModel, ModelNeeds } from '../models/model.ts';
import * as modelExports from '../models/registry.ts';
import type { Evaluation, LiveMetric, LiveScorecard, LiveTarget } from '../run/evaluation.ts';
import type { Case } from '../schema/case.ts';
import { metricFamilySchema } from '../schema/metric-family.ts';
import type { Scorecard } from '../scorecards/scorecard.ts';
import * as scorecardExports from '../scorecards/registry.ts';
import * as targetExports from '../targets/registry.ts';
import type { Target, TargetNeeds } from '../targets/target.ts';
import { type CheckedConfig, configSchema } from './config.ts';
import { ConfigProblem } from './config-problem.ts';
import { describeIssues } from './describe-issues.ts';
import { createJudgeFinder } from './judge-finder.ts';
import { createRegistry, type ResolvedUse, resolveUse, withSetting } from './resolve-use.ts';

const metricRegistry = createRegistry<'metric', Metric, MetricNeeds>('metric', metricExports);
const scorecardRegistry = createRegistry<'scorecard', Scorecard, Record<never, never>>(
  'scorecard',
  scorecardExports,
);
const embedderRegistry = createRegistry<'embedder', Embedder, ModelNeeds>('embedder', embedderExports);
const modelRegistry = createRegistry<'model', ChatModel, ModelNeeds>('model', modelExports);
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
  throw new ConfigProblem(describeIssues(parsed.error, written, configSchema));
}

/**
 * Turns a config into live pieces: every name in it is looked up, every option checked, every file it names found.
 * The only place that knows all extensions. Throws `TouchstoneError` or `ConfigProblem`.
 */
export async function resolveConfig(config: CheckedConfig, needs: ResolveNeeds): Promise<Evaluation> {
  const targets = await identifyTargets(keepNamed(resolveTargets(config, needs), needs.targetNames));
  const scorecard = resolveScorecard(config);
  return {
    description: config.description,
    dataset: await openDataset({ ...datasetOptions(config.dataset), folder: needs.folder, readers }),
    selects: needs.selects ?? (() => true),
    limit: needs.limit ?? Number.POSITIVE_INFINITY,
    targets,
    ...resolveMetrics(config, scorecard, needs),
    reusesJudgements: config.judgeCache,
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

/** Reads the rows of a data file, of any known format or of the one given, relative to a folder. */
export function readDataFile(file: string, folder: string, format?: 'jsonl'): ReturnType<typeof readRows> {
  return readRows({ path: file, folder, format, readers });
}

function datasetOptions(dataset: CheckedConfig['dataset']) {
  const options = typeof dataset === 'string' || Array.isArray(dataset) ? { path: dataset } : dataset;
  return { ...options, paths: [options.path].flat() };
}

interface ResolvedTarget extends LiveTarget {
  readonly version: number;
  readonly path: readonly PropertyKey[];
}

function resolveTargets(config: CheckedConfig, { folder, environment }: ResolveNeeds): ResolvedTarget[] {
  const targets = config.targets.map((written, index) => {
    const path = ['targets', index];
    const needs: TargetNeeds = {
      folder,
      environment,
      readRows: (file) => readDataFile(file, folder),
      resolveModel: (model) =>
        resolveUse(model, [...path, 'model'], modelRegistry, { folder, environment }).instance,
    };
    const { instance, ...rest } = resolveUse(written, path, targetRegistry, needs);
    return { ...rest, path, target: instance };
  });
  refuseDuplicates('targets', targets);
  return targets;
}

/** Targets whose answers come from more than their options: another prompt, another model is another target. */
async function identifyTargets(targets: readonly ResolvedTarget[]): Promise<LiveTarget[]> {
  return await Promise.all(
    targets.map(async ({ name, use, version, fingerprint, path, target }) => {
      try {
        const identity = await target.identity?.();
        if (identity === undefined) return { name, use, fingerprint, target };
        return { name, use, fingerprint: hashContent({ use: use.use, version, identity }), target };
      } catch (error) {
        throw withSetting(error, path);
      }
    }),
  );
}

function keepNamed(
  targets: ResolvedTarget[],
  names: readonly string[] | undefined,
): readonly ResolvedTarget[] {
  if (names === undefined || names.length === 0) return targets;
  const known = targets.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    const message = `No target is named "${unknown}".${didYouMean(unknown, known)}`;
    throw new TouchstoneError('usage-invalid', message, { remedy: `Choose from ${known.join(', ')}.` });
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
  needs: ResolveNeeds,
): { metrics: LiveMetric[]; scorecard: LiveScorecard | null } {
  const metrics: LiveMetric[] = [];
  const judges = createJudgeFinder(config.judge, needs);
  const embedder = resolveEmbedder(config, needs);
  const resolveMetric = (use: NamedUse | string, at: readonly PropertyKey[]): ResolvedUse<Metric> => {
    let isEmbedding = false;
    const resolved = resolveUse(use, at, metricRegistry, {
      get embedder() {
        isEmbedding = true;
        return embedder;
      },
      judge: (judge) => judges.find(judge, at),
      metric: (metric) => resolveMetric(metric, [...at, 'metric']).instance,
    });
    if (!isEmbedding || embedder === undefined) return resolved;
    // Another embedding model makes another metric.
    return { ...resolved, fingerprint: hashContent([resolved.fingerprint, embedder.fingerprint]) };
  };
  const add = (use: NamedUse | string, at: readonly PropertyKey[]): string => {
    const { instance, definition, ...written } = resolveMetric(use, at);
    const resolved = withJudge({ ...written, ...familyOf(definition, at) }, instance.judge);
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

function resolveEmbedder({ embedder }: CheckedConfig, needs: ResolveNeeds): Embedder | undefined {
  return embedder === undefined
    ? undefined
    : resolveUse(embedder, ['embedder'], embedderRegistry, needs).instance;
}

/** The family that a metric states. Metrics from outside come without our types. */
function familyOf(definition: object, path: readonly PropertyKey[]): Pick<LiveMetric, 'family'> {
  const { family } = definition as Partial<MetricDefinition>;
  if (family === undefined) return {};
  if (metricFamilySchema.safeParse(family).success) return { family };
  const known = metricFamilySchema.options.join(', ');
  throw new ConfigProblem([
    { path, message: `its definition states the family "${family}"; known are ${known}` },
  ]);
}

/** What a judge says depends on the judge: another one makes another metric. */
function withJudge<Resolved extends { readonly fingerprint: string }>(
  resolved: Resolved,
  judge: Judge | undefined,
): Resolved & Pick<LiveMetric, 'judge'> {
  if (judge === undefined) return resolved;
  const { name, fingerprint } = judge;
  const both = hashContent([resolved.fingerprint, fingerprint]);
  return { ...resolved, fingerprint: both, judge: { name, fingerprint } };
}

function refuseDuplicates(setting: string, named: readonly { readonly name: string }[]): void {
  const names = named.map(({ name }) => name);
  const index = names.findIndex((name, at) => names.indexOf(name) !== at);
  if (index === -1) return;
  const message = `two are named "${names[index]}"; give one of them another \`name\``;
  throw new ConfigProblem([{ path: [setting, index], message }]);
}
