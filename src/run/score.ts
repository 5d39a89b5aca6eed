import { messageOf } from '../errors.ts';
import type { Executor } from '../executors/executor.ts';
import type { JudgementKeeper } from '../judges/judge.ts';
import type { MetricContext } from '../metrics/metric.ts';
import type { CasedTrial, ScoredTrial } from '../schema/scored-trial.ts';
import type { Verdict } from '../schema/verdict.ts';
import type { StopSignals } from './call.ts';
import type { Evaluation, LiveMetric } from './evaluation.ts';

type Rules = Pick<Evaluation, 'metrics' | 'scorecard'>;

/** What scoring works with. */
export interface ScoringNeeds {
  readonly executor: Executor;
  readonly signals: StopSignals;
  readonly judgements: JudgementKeeper;
}

/**
 * Scores trials from their records alone: the same record gives the same scores, this year or next. Where a metric waits,
 * for a judge, as many trials are scored at a time as it can take, and come out as they are done; once the run is
 * stopped, the trials that were not begun come out no more. They are kept, to be scored later.
 */
export async function* score(
  trials: AsyncIterable<CasedTrial[]>,
  rules: Rules,
  needs: ScoringNeeds,
): AsyncGenerator<ScoredTrial[]> {
  const concurrency = Math.max(0, ...rules.metrics.map(({ metric }) => metric.concurrency ?? 0));
  if (concurrency === 0) {
    for await (const batch of trials) yield await scoreAtOnce(batch, rules, needs);
    return;
  }
  const work = async (trial: CasedTrial) => await scoreUnlessStopped(trial, rules, needs);
  // Not the run's own stop: what was paid for is to come out of the source, and be recorded, all the same.
  const limits = { concurrency, stop: new AbortController().signal };
  for await (const group of needs.executor.execute(flatten(trials), work, limits)) {
    const scored = group.filter((trial) => trial !== undefined);
    if (scored.length > 0) yield scored;
  }
}

async function* flatten(trials: AsyncIterable<CasedTrial[]>): AsyncGenerator<CasedTrial> {
  for await (const batch of trials) yield* batch;
}

/** Computed verdicts cost no promise. */
async function scoreAtOnce(
  batch: readonly CasedTrial[],
  rules: Rules,
  needs: ScoringNeeds,
): Promise<ScoredTrial[]> {
  const scored: ScoredTrial[] = [];
  const later: Promise<unknown>[] = [];
  for (const [index, trial] of batch.entries()) {
    const result = scoreTrial(trial, rules, needs);
    if (!(result instanceof Promise)) scored[index] = result;
    else later.push(result.then((waited) => (scored[index] = waited)));
  }
  if (later.length > 0) await Promise.all(later);
  return scored;
}

async function scoreUnlessStopped(
  trial: CasedTrial,
  rules: Rules,
  needs: ScoringNeeds,
): Promise<ScoredTrial | undefined> {
  const { stop, abort } = needs.signals;
  if (stop.aborted || abort.aborted) return undefined;
  try {
    return await scoreTrial(trial, rules, needs);
  } catch (error) {
    if (abort.aborted) return undefined;
    throw error;
  }
}

function scoreTrial(
  { case: testCase, trial }: CasedTrial,
  rules: Rules,
  { signals, judgements }: ScoringNeeds,
): ScoredTrial | Promise<ScoredTrial> {
  const verdicts: Record<string, Verdict> = {};
  const later: Promise<unknown>[] = [];
  const finish = (all: Readonly<Record<string, Verdict>>): ScoredTrial => ({
    case: testCase,
    trial,
    verdicts: all,
    scorecard: evaluateCard(rules.scorecard, all),
  });
  if (trial.status === 'cancelled') return finish(verdicts);
  const context: MetricContext = { signal: signals.abort, judgements };
  for (const metric of rules.metrics) {
    const verdict = verdictOf(metric, { case: testCase, trial }, context);
    if (!(verdict instanceof Promise)) verdicts[metric.name] = verdict;
    else later.push(verdict.then((waited) => (verdicts[metric.name] = waited)));
  }
  return later.length === 0
    ? finish(verdicts)
    : Promise.all(later).then(() => finish(inOrder(verdicts, rules)));
}

/** In the order of the metrics, whichever verdict came first. */
function inOrder(verdicts: Readonly<Record<string, Verdict>>, { metrics }: Rules): Record<string, Verdict> {
  return Object.fromEntries(metrics.map(({ name }) => [name, verdicts[name] as Verdict]));
}

function evaluateCard(
  scorecard: Rules['scorecard'],
  verdicts: Readonly<Record<string, Verdict>>,
): ScoredTrial['scorecard'] {
  if (scorecard === null) return null;
  const entries = scorecard.criteria.flatMap(({ name, metric }): [string, Verdict][] => {
    const verdict = verdicts[metric];
    return verdict === undefined ? [] : [[name, verdict]];
  });
  return scorecard.evaluate(new Map(entries));
}

/** One failing metric never stops the others: what it threw is its verdict. */
function verdictOf(
  { metric }: LiveMetric,
  input: CasedTrial,
  context: MetricContext,
): Verdict | Promise<Verdict> {
  if (input.trial.status === 'failed' && metric.measuresFailures !== true) {
    return {
      status: 'failed',
      code: 'trial-failed',
      reason: `no answer: ${input.trial.error?.message ?? 'failed'}`,
    };
  }
  try {
    const verdict = metric.score(input, context);
    return verdict instanceof Promise
      ? verdict.then(checkVerdict).catch((error: unknown) => {
          context.signal.throwIfAborted();
          return failedVerdict(error);
        })
      : checkVerdict(verdict);
  } catch (error) {
    return failedVerdict(error);
  }
}

function checkVerdict(verdict: Verdict): Verdict {
  if (verdict.status !== 'scored') return verdict;
  const isInRange = verdict.unit !== undefined || (verdict.value >= 0 && verdict.value <= 1);
  if (Number.isFinite(verdict.value) && isInRange) return verdict;
  const reason = `the metric gave ${verdict.value}; a value without a unit lies between 0 and 1`;
  return { status: 'failed', code: 'metric-out-of-range', reason };
}

function failedVerdict(error: unknown): Verdict {
  return { status: 'failed', code: 'metric-threw', reason: messageOf(error) };
}
