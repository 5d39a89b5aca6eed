import type { CaseDraft, Dataset } from '../../src/evaluate/datasets/dataset.ts';
import { hashContent } from '../../src/core/lib/content-hash.ts';
import { errorHandling } from '../../src/evaluate/metrics/operations/error-handling.ts';
import { keywords } from '../../src/evaluate/metrics/text/keywords.ts';
import type { Metric } from '../../src/evaluate/metrics/metric.ts';
import { toolUsage } from '../../src/evaluate/metrics/tools/tool-usage.ts';
import type { Evaluation, ResolvedMetric, ResolvedTarget } from '../../src/evaluate/run/evaluation.ts';
import { threeComponent } from '../../src/decide/scorecards/three-component.ts';
import type { Reply, Target, TargetContext, TargetRequest } from '../../src/evaluate/targets/target.ts';
import { scriptedUser } from '../../src/evaluate/users/scripted.ts';
import type { UserNeeds } from '../../src/evaluate/users/user.ts';

/** Builds a dataset for tests from drafts in memory, with Touchstone's field names. */
function buildDataset(drafts: readonly Record<string, unknown>[]): Dataset {
  return {
    sources: ['memory.jsonl'],
    drafts: async function* () {
      for (const [index, value] of drafts.entries()) {
        const place = { file: 'memory.jsonl', line: index + 1 };
        const draft: CaseDraft = {
          value,
          place,
          unknownFields: [],
          locate: (path) => ({ place, field: path.join('.') }),
        };
        yield draft;
      }
    },
  };
}

type Answer = (
  request: TargetRequest,
  context: TargetContext,
) => string | null | Reply | Promise<string | null | Reply>;

/** The needs of a simulated user that uses none of them. */
const noNeeds: UserNeeds = {
  folder: '.',
  environment: {},
  resolveModel: () => {
    throw new Error('no model is used');
  },
};

/** Builds a target for tests that answers with a function, and counts its calls. */
export function buildTarget(
  answer: Answer,
  parts: Partial<Target> = {},
): Target & { readonly calls: string[] } {
  const calls: string[] = [];
  return {
    calls,
    call: async (request, context) => {
      calls.push(request.caseId);
      const given = await answer(request, context);
      return typeof given === 'string' || given === null ? { answer: given, toolCalls: [] } : given;
    },
    ...parts,
  };
}

/** Builds a resolved target of an evaluation. */
export function resolvedTarget(name: string, target: Target): ResolvedTarget {
  return { name, use: { use: name }, fingerprint: hashContent(name), target };
}

/** Builds a resolved metric of an evaluation. */
export function resolvedMetric(name: string, metric: Metric, version = 1): ResolvedMetric {
  return { name, use: { use: name }, version, fingerprint: hashContent([name, version]), metric };
}

/**
 * Builds an evaluation for tests: three-component scoring as in the source systems, of some drafts by some targets,
 * with any further parts that a test needs.
 */
export function buildEvaluation(
  drafts: readonly Record<string, unknown>[],
  targets: readonly ResolvedTarget[],
  parts: Partial<Evaluation> = {},
): Evaluation {
  const scorecard = threeComponent.definition.create(
    threeComponent.definition.options.parse({ nothingExpected: 'full' }),
    {},
  );
  return {
    description: undefined,
    dataset: buildDataset(drafts),
    selects: () => true,
    limit: Number.POSITIVE_INFINITY,
    targets,
    users: { scripted: scriptedUser.definition.create({}, noNeeds) },
    metrics: [
      {
        ...resolvedMetric('tool-usage', toolUsage.definition.create({ nothingExpected: 'full' }, {})),
        reads: ['tools', 'calls'],
      },
      {
        ...resolvedMetric(
          'keywords',
          keywords.definition.create(keywords.definition.options.parse({ nothingExpected: 'full' }), {}),
        ),
        reads: ['keywords'],
      },
      resolvedMetric('error-handling', errorHandling.definition.create({}, {})),
    ],
    scorecard: {
      name: 'three-component',
      use: { use: 'three-component', nothingExpected: 'full' },
      version: 1,
      criteria: scorecard.criteria.map((criterion) => ({ ...criterion, metric: criterion.metric.use })),
      grades: [...scorecard.grades],
      passMark: scorecard.passMark,
      evaluate: (verdicts) => scorecard.evaluate(verdicts),
    },
    attempts: 1,
    seed: 0,
    settings: { concurrency: 4, timeLimitMs: 60_000, maxRetries: 0 },
    reusesJudgements: true,
    gate: { minCoverage: 1 },
    ...parts,
  };
}
