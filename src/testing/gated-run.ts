import { createLocalExecutor } from '../executors/local.ts';
import type { Metric } from '../metrics/metric.ts';
import { run } from '../run/run.ts';
import { neverStopped } from '../run/run-needs.ts';
import type { Gate } from '../schema/gate.ts';
import type { Run } from '../schema/run.ts';
import type { Verdict } from '../schema/verdict.ts';
import { createMemoryStore } from '../stores/memory.ts';
import type { Store } from '../stores/store.ts';
import { TargetFailure } from '../targets/target.ts';
import { buildEvaluation, buildTarget, liveMetric, liveTarget } from './build-evaluation.ts';

/** A case with the score of each attempt; null for an attempt that fails. */
export interface GatedCase {
  readonly id?: string;
  readonly scores: readonly (number | null)[];
  readonly category?: string;
  readonly cluster?: string;
  readonly gate?: string;
}

/** A run for tests whose scores are given. A trial passes with a score of at least 0.5. */
export async function runScores(
  cases: readonly GatedCase[],
  { gate = {}, store = createMemoryStore(), version = 1, judge }: GatedRunOptions = {},
): Promise<{ run: Run; store: Store }> {
  const named = cases.map((each, index) => ({ id: `q${index}`, ...each }));
  const scores = new Map(named.map(({ id, scores: given }) => [id, given]));
  const scoreOf = (caseId: string, attempt: number) => scores.get(caseId)?.[attempt - 1] ?? null;
  const bot = buildTarget(({ caseId, attempt }) => {
    if (scoreOf(caseId, attempt) === null) throw new TargetFailure('target-threw', 'no answer today');
    return 'yes';
  });
  const quality: Metric = {
    score: ({ trial }) => ({ status: 'scored', value: scoreOf(trial.caseId, trial.attempt) ?? 0 }),
  };
  const drafts = named.map(({ scores: _scores, ...draft }) => ({ ...draft, input: `What is ${draft.id}?` }));
  const metric = liveMetric('quality', quality, version);
  const evaluation = buildEvaluation(drafts, [liveTarget('bot', bot)], {
    metrics: [judge === undefined ? metric : { ...metric, judge: { name: 'judge', fingerprint: judge } }],
    scorecard,
    attempts: cases[0]?.scores.length ?? 1,
    gate: { minCoverage: 1, ...gate },
  });
  const needs = { store, executor: createLocalExecutor(), observer: {}, signals: neverStopped };
  return { run: await run(evaluation, needs), store };
}

/** What matters of a run beside its scores. */
export interface GatedRunOptions {
  readonly gate?: Partial<Gate>;
  readonly store?: Store;
  /** Of the metric. */
  readonly version?: number;
  /** The fingerprint of the judge of the metric. */
  readonly judge?: string;
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
