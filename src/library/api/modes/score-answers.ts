import type { NamedUse } from '../../../core/lib/define.ts';
import type { CasedTrial } from '../../../core/schema/result.ts';
import type { Trial } from '../../../core/schema/trial.ts';
import type { Verdict } from '../../../core/schema/verdict.ts';
import { createLocalExecutor } from '../../../evaluate/executors/local.ts';
import { createJudgingTally } from '../../../evaluate/run/limits/judging-tally.ts';
import { openParticipants } from '../../../evaluate/run/participants.ts';
import { neverStopped } from '../../../evaluate/run/run-needs.ts';
import { createJudgementCache } from '../../../evaluate/run/scoring/judgement-cache.ts';
import { score } from '../../../evaluate/run/scoring/score.ts';
import { blobReaderOf } from '../../../stores/blobs/blob-store.ts';
import type { Store } from '../../../stores/store.ts';
import type { LoadedConfig } from '../../config/load-config.ts';
import { toRules } from '../../config/load-rules.ts';

/** Stored answers to score by metrics that are tried, and where judgements are kept. */
export interface ScoringTrial {
  readonly store: Store;
  /** The run under which judgements are stored. */
  readonly run: string;
  /** The config whose judge and embedder the metrics use. */
  readonly config: Pick<LoadedConfig, 'written' | 'folder' | 'locate'>;
  /** The cost in US dollars after which nothing more is asked. */
  readonly maxCost?: number;
}

/** The verdicts of metrics on stored answers, and what was spent. */
export interface TriedMetrics {
  /** Returns the verdict on an answer of a metric by its place; undefined when it was not asked. */
  readonly verdictOf: (trial: Trial, metric: number) => Verdict | undefined;
  readonly spending: { readonly calls: number; readonly cost: number | null };
}

/** Scores stored answers by metrics that are no part of a run. Judgements are stored before anyone sees them, and found again. */
export async function tryMetrics(
  metrics: readonly NamedUse[],
  answers: readonly CasedTrial[],
  { store, run, config, maxCost = Infinity }: ScoringTrial,
): Promise<TriedMetrics> {
  const { judge, judgeSamples, embedder } = config.written as Readonly<Record<string, unknown>>;
  const named = metrics.map((use, index) => ({ ...use, name: nameOf(index) }));
  const source = 'stored answers';
  const settings = {
    judge,
    judgeSamples,
    embedder,
    metrics: named,
    dataset: source,
    targets: [{ use: source }],
  };
  const rules = await toRules({ ...config, written: withoutMissing(settings) });
  const spending = createJudgingTally();
  const limit = new AbortController();
  const judgements = createJudgementCache(run, {
    store,
    reuses: rules.reusesJudgements,
    onKept: (kept) => {
      spending.add(kept);
      if (spending.spent() >= maxCost) limit.abort();
    },
  });
  const needs = {
    executor: createLocalExecutor(),
    signals: { ...neverStopped, stop: limit.signal },
    judgements,
    readBlob: blobReaderOf(store),
  };
  await using _participants = await openParticipants({ targets: [], metrics: rules.metrics });
  const verdicts = new Map<Trial, Readonly<Record<string, Verdict>>>();
  for await (const batch of score(oneBatch(answers), rules, needs))
    for (const scored of batch) verdicts.set(scored.trial, scored.verdicts);
  const { calls, cost } = spending.summarize();
  return {
    verdictOf: (trial, metric) => verdicts.get(trial)?.[nameOf(metric)],
    spending: { calls, cost },
  };
}

function nameOf(index: number): string {
  return `metric ${index}`;
}

function withoutMissing(settings: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
}

async function* oneBatch(answers: readonly CasedTrial[]): AsyncGenerator<readonly CasedTrial[]> {
  yield answers;
}
