import { createEmbeddingJudge } from '../../evaluate/judges/embedding-judge.ts';
import type { Judge } from '../../evaluate/judges/judge.ts';
import { hashContent } from '../../core/lib/content-hash.ts';
import { type NamedUse, rememberedDefinition, withOptions } from '../../core/lib/define.ts';
import { judgedOptions } from '../../evaluate/metrics/judged/ask-judges.ts';
import type { Metric, MetricDefinition, MetricNeeds } from '../../evaluate/metrics/metric.ts';
import * as metricExports from '../../evaluate/metrics/registry.ts';
import type { Embedder } from '../../evaluate/models/embedder.ts';
import * as embedderExports from '../../evaluate/models/embedders/registry.ts';
import type { ModelNeeds } from '../../evaluate/models/model.ts';
import type { ResolvedMetric, ResolvedScorecard } from '../../evaluate/run/evaluation.ts';
import type { CaseCheckRules } from '../../evaluate/run/prepare/case-check-rules.ts';
import { metricsMeasuring } from '../../core/schema/metric.ts';
import * as scorecardExports from '../../decide/scorecards/registry.ts';
import type { CriterionUse, Scorecard } from '../../decide/scorecards/scorecard.ts';
import { ConfigProblem, refuseDuplicates } from './config-problem.ts';
import type { CheckedConfig } from './config.ts';
import { metricsOfConditions } from './conditions/find-conditions.ts';
import { type ConfiguredCaseMetrics, createCaseMetrics } from './case-checks/case-metrics.ts';
import { createCaseCheckRules } from './case-checks/case-check-rules.ts';
import { kindOf, readsOf } from './declared-by.ts';
import { createJudgeFinder } from './resolve-judge.ts';
import {
  createRegistry,
  findDefinition,
  parseUse,
  type Registry,
  type ResolvedUse,
  resolveUse,
  type ResolveNeeds,
} from './resolve-use.ts';

const metricRegistry = createRegistry<'metric', Metric, MetricNeeds>('metric', metricExports);

const scorecardRegistry = createRegistry<'scorecard', Scorecard, Record<never, never>>(
  'scorecard',
  scorecardExports,
);

/** The metrics and the scorecard of a config, ready to score. */
export interface ResolvedMetrics {
  readonly metrics: ResolvedMetric[];
  readonly scorecard: ResolvedScorecard | null;
  /** The rules for the checks that cases bring along. */
  readonly caseChecks: CaseCheckRules;
}

/**
 * Resolves the metrics of a config and its scorecard. The metrics of the scorecard's criteria come first, then the others
 * of the config that are not among them. A criterion can name a metric of the config; the scorecard refers to all of its
 * metrics by name. Throws `ConfigProblem`.
 */
export function resolveMetrics(config: CheckedConfig, needs: ResolveNeeds): ResolvedMetrics {
  const scorecard = resolveScorecard(config);
  const { find, caseMetrics } = createMetricFinder(config, needs);
  const metrics: ResolvedMetric[] = [];
  const add = (use: NamedUse | string, at: readonly PropertyKey[]) => {
    const resolved = find(use, at);
    const found = toLiveMetric(resolved, at);
    const same = metrics.find(
      ({ name, fingerprint }) => name === found.name && fingerprint === found.fingerprint,
    );
    if (same === undefined) metrics.push(found);
    return { name: found.name, resolved };
  };
  const criteria = scorecard?.instance.criteria.map((criterion, index) => {
    const at = ['scorecard', 'criteria', index, 'metric'];
    const { name, resolved } = add(findNamed(criterion.metric, config.metrics) ?? criterion.metric, at);
    refuseQuantity(criterion, resolved, at);
    return { ...criterion, metric: name };
  });
  for (const [index, use] of config.metrics.entries()) {
    // A name alone refers to the scorecard's metric of that name, whatever its options.
    if (!metrics.some(({ name }) => name === use)) add(use, ['metrics', index]);
  }
  for (const { use, aspect } of metricsOfConditions(config)) {
    if (metricsMeasuring({ metrics }, aspect).length === 0) add(use, ['metrics']);
  }
  refuseDuplicates('metrics', metrics);
  // Where no metric makes the checks of cases, they are read all the same, so that a mistake is noticed.
  const isMade = metrics.some(({ reads = [] }) => reads.includes('checks'));
  return {
    metrics,
    scorecard: scorecard && toLiveScorecard(scorecard, criteria ?? []),
    caseChecks: isMade ? createCaseCheckRules(caseMetrics) : readOnlyRules(),
  };
}

/** Returns the metric of a config that a criterion names; undefined when the criterion has a metric of its own. */
function findNamed(
  use: NamedUse,
  metrics: CheckedConfig['metrics'],
): CheckedConfig['metrics'][number] | undefined {
  const isName = Object.keys(use).every((key) => key === 'use' || key === 'name');
  if (!isName || rememberedDefinition(use) !== undefined) return undefined;
  return metrics.find((each) => typeof each !== 'string' && (each.name ?? each.use) === use.use);
}

/** Returns a scorecard whose criteria refer to their metrics by name. */
function toLiveScorecard(
  { name, use, version, instance }: ResolvedUse<Scorecard>,
  criteria: ResolvedScorecard['criteria'],
): ResolvedScorecard {
  const { passMark, grades, outcomes } = instance;
  return {
    name,
    use,
    version,
    passMark,
    grades: [...grades],
    ...(outcomes !== undefined && { outcomes: [...outcomes] }),
    criteria,
    evaluate: (verdicts, ownPassMark) => instance.evaluate(verdicts, ownPassMark),
  };
}

/** Resolves the scorecard of a config without its metrics; null when it has none. Throws `ConfigProblem`. */
function resolveScorecard({ scorecard }: CheckedConfig): ResolvedUse<Scorecard> | null {
  return scorecard === null ? null : resolveUse(scorecard, ['scorecard'], scorecardRegistry, {});
}

/**
 * Throws `ConfigProblem` for a criterion that is a quantity without a limit. Milliseconds are not a share of a total; with
 * a limit they are met or missed.
 */
function refuseQuantity(
  { name, weight, atLeast, atMost }: CriterionUse,
  { definition, use }: ResolvedUse<Metric>,
  path: readonly PropertyKey[],
): void {
  const { quantity } = definition as Partial<MetricDefinition>;
  if (quantity === undefined || weight === 0 || atLeast !== undefined || atMost !== undefined) return;
  if (quantity.limits.some((limit) => use[limit] !== undefined)) return;
  const [limit = ''] = quantity.limits.slice(-1);
  const form = `{ metric: { use: ${use.use}, ${limit}: 2000 }, weight: ${weight} }`;
  const message = `"${name}" is measured in ${quantity.unit}, so as a criterion it needs a limit: write \`${form}\``;
  throw new ConfigProblem([{ path, message }]);
}

function toLiveMetric(
  { instance, definition, options, ...resolved }: ResolvedUse<Metric>,
  at: readonly PropertyKey[],
): ResolvedMetric {
  const identified = withIdentity(resolved, instance.identity);
  const kind = kindOf(definition, at);
  return {
    ...withJudge(
      {
        ...identified,
        ...kind,
        aspect: instance.aspect ?? kind.aspect,
        ...readsOf({ definition, options, instance }, at, (use) => parseUse(use, at, metricRegistry)),
      },
      instance.judge,
    ),
    metric: instance,
  };
}

/** Adds the identity of a metric to its fingerprint, for verdicts that depend on more than its options, such as a file. */
function withIdentity<Resolved extends { readonly fingerprint: string }>(
  resolved: Resolved,
  identity: Metric['identity'],
): Resolved {
  if (identity === undefined) return resolved;
  return { ...resolved, fingerprint: hashContent([resolved.fingerprint, identity]) };
}

/**
 * Adds the judge of a metric to its fingerprint, since another judge makes it another metric. A judge whose answers can
 * vary is named, because it adds to the uncertainty.
 */
function withJudge<Resolved extends { readonly fingerprint: string }>(
  resolved: Resolved,
  judge: Judge | undefined,
): Resolved & Pick<ResolvedMetric, 'judge'> {
  if (judge === undefined) return resolved;
  const { name, fingerprint, isSteady } = judge;
  const both = hashContent([resolved.fingerprint, fingerprint]);
  return { ...resolved, fingerprint: both, ...(isSteady !== true && { judge: { name, fingerprint } }) };
}

type MetricFinder = (use: NamedUse | string, at: readonly PropertyKey[]) => ResolvedUse<Metric>;

/** Returns the rules for the checks of cases where there is no config, and so neither a judge nor an embedding model. */
export function readOnlyRules(): CaseCheckRules {
  return createCaseCheckRules(
    createCaseMetrics(metricRegistry, { judge: () => noJudge, embedder: () => noJudge }),
  );
}

/** Stands in for a judge where checks are only read. */
export const noJudge: Judge = {
  name: 'none',
  fingerprint: '',
  concurrency: 1,
  models: [],
  ask: async () => ({
    status: 'failed',
    code: 'judge-missing',
    reason: 'no judge is configured',
    judgements: [],
  }),
  estimate: async () => ({ calls: 0, inputTokens: 0, outputTokens: 0, cost: 0 }),
};

/** Creates functions that resolve metrics with what they need: a judge, the embedding model, other metrics. */
function createMetricFinder(
  config: CheckedConfig,
  needs: ResolveNeeds,
): { readonly find: MetricFinder; readonly caseMetrics: ConfiguredCaseMetrics } {
  const judges = createJudgeFinder(config.judge, needs);
  const model = resolveEmbedder(config, needs);
  const embedder = model && createEmbeddingJudges(model, needs);
  const { folder } = needs;
  const caseMetrics = createCaseMetrics(metricRegistry, {
    embedder,
    judge: () => judges.find(undefined, []),
    samples: (use) => withJudgeSamples(use, config.judgeSamples, { path: [], registry: metricRegistry }),
  });
  const find: MetricFinder = (use, at) => {
    const sampled = withJudgeSamples(use, config.judgeSamples, { path: at, registry: metricRegistry });
    return resolveUse(sampled, at, metricRegistry, {
      embedder,
      folder,
      judge: (judge) => judges.find(judge, at),
      metric: (metric) => find(metric, [...at, 'metric']).instance,
      caseMetrics,
    });
  };
  return { find, caseMetrics };
}

/** Returns a metric with another number of samples if it calls a judge. Throws `ConfigProblem` for an unknown metric. */
function withJudgeSamples<Instance, Needs>(
  written: NamedUse | string,
  samples: number | undefined,
  {
    path,
    registry,
  }: { readonly path: readonly PropertyKey[]; readonly registry: Registry<'metric', Instance, Needs> },
): NamedUse | string {
  if (samples === undefined) return written;
  const use = typeof written === 'string' ? { use: written } : written;
  const { options } = findDefinition(use, path, registry);
  const isJudged =
    'shape' in options && (options.shape as object as Shape).samples === judgedOptions().shape.samples;
  return isJudged ? withOptions(use, { samples }) : written;
}

/** The part of an options schema that identifies a judged metric. */
interface Shape {
  readonly samples?: unknown;
}

const embedderRegistry = createRegistry<'embedder', Embedder, ModelNeeds>('embedder', embedderExports);

/** Creates the embedding model of a config; undefined when it names none. Throws `ConfigProblem`. */
export function resolveEmbedder(
  { embedder }: CheckedConfig,
  needs: Pick<ResolveNeeds, 'folder' | 'environment'>,
): Embedder | undefined {
  return embedder === undefined
    ? undefined
    : resolveUse(embedder, ['embedder'], embedderRegistry, needs).instance;
}

/** Creates the judges of an embedding model. Metrics with the same time limit share one, so that their calls are batched. */
function createEmbeddingJudges(
  embedder: Embedder,
  { environment }: Pick<ResolveNeeds, 'environment'>,
): NonNullable<MetricNeeds['embedder']> {
  const judges = new Map<number, Judge>();
  return ({ timeLimitMs }) => {
    const judge = judges.get(timeLimitMs) ?? createEmbeddingJudge(embedder, { timeLimitMs, environment });
    judges.set(timeLimitMs, judge);
    return judge;
  };
}
