import { createLocalExecutor } from '../../src/evaluate/executors/local.ts';
import type { Metric } from '../../src/evaluate/metrics/metric.ts';
import type { Evaluation } from '../../src/evaluate/run/evaluation.ts';
import { run } from '../../src/evaluate/run/run.ts';
import { neverStopped, type RunNeeds } from '../../src/evaluate/run/run-needs.ts';
import type { Gate } from '../../src/core/schema/gate.ts';
import type { Run } from '../../src/core/schema/run.ts';
import type { Verdict } from '../../src/core/schema/verdict.ts';
import { createMemoryStore } from './memory-store.ts';
import type { Store } from '../../src/stores/store.ts';
import { type Reply, TargetFailure } from '../../src/evaluate/targets/target.ts';
import { buildEvaluation, buildTarget, resolvedMetric, resolvedTarget } from './build-evaluation.ts';

/** A case with the score of each attempt; null for an attempt that fails. */
export interface GatedCase {
  readonly id?: string;
  readonly scores: readonly (number | null)[];
  readonly category?: string;
  readonly cluster?: string;
  readonly gate?: string;
}

/** Runs an evaluation for tests with the given scores. A trial passes with a score of at least 0.5. */
export async function runScores(
  cases: readonly GatedCase[],
  options: GatedRunOptions = {},
): Promise<{ run: Run; store: Store; calls: readonly string[] }> {
  const { gate = {}, store = createMemoryStore(), version = 1, judge, concurrency = 4 } = options;
  const named = cases.map((each, index) => ({ id: `q${index}`, ...each }));
  const scores = new Map(named.map(({ id, scores: given }) => [id, given]));
  const scoreOf = (caseId: string, attempt: number) => scores.get(caseId)?.[attempt - 1] ?? null;
  const bot = buildTarget(async ({ caseId, attempt }) => {
    await options.onCall?.(caseId, scoreOf(caseId, attempt));
    if (scoreOf(caseId, attempt) === null) throw new TargetFailure('target-threw', 'no answer today');
    return { answer: 'yes', toolCalls: [], ...options.reply };
  });
  const quality: Metric = {
    score: ({ trial }) => ({ status: 'scored', value: scoreOf(trial.caseId, trial.attempt) ?? 0 }),
  };
  const drafts = named.map(({ scores: _scores, ...draft }) => ({ ...draft, input: `What is ${draft.id}?` }));
  const metric = resolvedMetric('quality', quality, version);
  const evaluation = buildEvaluation(
    drafts,
    [
      {
        ...resolvedTarget('bot', bot),
        isRecorded: options.isRecorded,
        isDeterministic: options.isDeterministic,
      },
    ],
    {
      metrics: [judge === undefined ? metric : { ...metric, judge: { name: 'judge', fingerprint: judge } }],
      scorecard,
      attempts: cases[0]?.scores.length ?? 1,
      settings: { concurrency, timeLimitMs: 60_000, maxRetries: 0, ...options.settings },
      gate: { minCoverage: 1, ...gate },
      ...options.evaluation,
    },
  );
  const needs = {
    store,
    executor: createLocalExecutor(),
    observer: {},
    signals: neverStopped,
    ...options.needs,
  };
  return { run: await run(evaluation, needs, options.resume), store, calls: bot.calls };
}

/** Options of a run beside its scores. */
export interface GatedRunOptions {
  readonly gate?: Partial<Gate>;
  readonly store?: Store;
  /** The version of the metric. */
  readonly version?: number;
  /** The fingerprint of the judge of the metric. */
  readonly judge?: string;
  readonly concurrency?: number;
  /** True for answers that are recorded ones. */
  readonly isRecorded?: true;
  /** True for a bot that is said to be deterministic. */
  readonly isDeterministic?: true;
  readonly settings?: Partial<Run['settings']>;
  /** Awaited before a call is answered. */
  readonly onCall?: (caseId: string, score: number | null) => Promise<void> | void;
  /** The parts of replies beside the answer. */
  readonly reply?: Partial<Reply>;
  readonly needs?: Partial<RunNeeds>;
  readonly evaluation?: Partial<Evaluation>;
  /** The run to resume. */
  readonly resume?: Run;
}

const scorecard = {
  name: 'quality-only',
  use: { use: 'quality-only' },
  version: 1,
  criteria: [{ name: 'good answer', metric: 'quality', weight: 1, required: false }],
  grades: [],
  passMark: 0.5,
  evaluate: (verdicts: ReadonlyMap<string, Verdict>) => {
    const verdict = verdicts.get('good answer');
    return verdict?.status === 'scored'
      ? { ...bounds(verdict.value, verdict.value), total: verdict.value, passed: verdict.value >= 0.5 }
      : { ...bounds(0, 1), total: null, passed: null };
  },
};

function bounds(lower: number, upper: number) {
  return { lower, upper, grade: null, explanation: '' };
}
