import type { Executor } from '../../executors/executor.ts';
import type { JudgementKeeper } from '../../judges/judge.ts';
import type { MetricContext } from '../../metrics/metric.ts';
import type { CasedTrial, ScoredTrial } from '../../schema/scored-trial.ts';
import type { Verdict } from '../../schema/verdict.ts';
import type { StopSignals } from '../limits/stop-signals.ts';
import { evaluateCard } from './evaluate-card.ts';
import type { Evaluation } from '../evaluation.ts';
import { verdictsOf } from './verdicts-of.ts';

type Rules = Pick<Evaluation, 'metrics' | 'scorecard' | 'secrets'>;

/** What scoring works with. */
export interface ScoringNeeds {
  readonly executor: Executor;
  readonly signals: StopSignals;
  readonly judgements: JudgementKeeper;
}

/**
 * Scores trials from their records alone: the same record gives the same scores, this year or next. Where a metric waits,
 * for a judge, as many trials are scored at a time as it can take, and come out as they are done; once the run is
 * stopped, those of which something was not asked yet come out no more. They are kept, to be scored later.
 */
export async function* score(
  trials: AsyncIterable<readonly CasedTrial[]>,
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

async function* flatten(trials: AsyncIterable<readonly CasedTrial[]>): AsyncGenerator<CasedTrial> {
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
  let isWhole = true;
  const onNotAsked = () => {
    isWhole = false;
  };
  try {
    const scored = await scoreTrial(trial, rules, { ...needs, asking: { stop, onNotAsked } });
    return isWhole ? scored : undefined;
  } catch (error) {
    if (abort.aborted) return undefined;
    throw error;
  }
}

function scoreTrial(
  { case: testCase, trial }: CasedTrial,
  { metrics, scorecard, secrets }: Rules,
  {
    signals,
    judgements,
    asking,
  }: ScoringNeeds & { readonly asking?: Pick<MetricContext, 'stop' | 'onNotAsked'> },
): ScoredTrial | Promise<ScoredTrial> {
  const finish = (given: Readonly<Record<string, Verdict>>): ScoredTrial => {
    // A metric may be a program of the user's, whose errors tell what it was connected to.
    const verdicts = secrets === undefined ? given : secrets.json(given);
    return { case: testCase, trial, verdicts, scorecard: evaluateCard(scorecard, verdicts) };
  };
  if (trial.status === 'cancelled') return finish({});
  const context: MetricContext = { signal: signals.abort, judgements, attempt: trial.attempt, ...asking };
  const verdicts = verdictsOf({ case: testCase, trial }, metrics, context);
  return verdicts instanceof Promise ? verdicts.then(finish) : finish(verdicts);
}
