import type { Executor } from '../../executors/executor.ts';
import type { JudgementCache } from '../../judges/judge.ts';
import { type MetricContext, scoreSafely } from '../../metrics/metric.ts';
import type { Case } from '../../../core/schema/case.ts';
import type { CasedTrial, ScoredTrial } from '../../../core/schema/result.ts';
import { isTargetError } from '../../../core/schema/trial.ts';
import {
  erasedCode,
  type ScorecardResult,
  invalidatedCode,
  type Verdict,
} from '../../../core/schema/verdict.ts';
import type { Evaluation, ResolvedMetric, ResolvedScorecard } from '../evaluation.ts';
import type { StopSignals } from '../limits/run-control.ts';

type Rules = Pick<Evaluation, 'metrics' | 'scorecard' | 'secrets' | 'hidesFiles'>;

/** The services that scoring uses. */
export interface ScoringNeeds {
  readonly executor: Executor;
  readonly signals: StopSignals;
  readonly judgements: JudgementCache;
  /** Returns the bytes of a picture or another file by its hash, for judges. */
  readonly readBlob?: MetricContext['readBlob'];
  /** Called when judges begin (1) or end (-1) to be asked about an answer. */
  readonly onJudging?: (change: number) => void;
  /** Called for each trial that is left because a batch is going to answer questions about it. */
  readonly onPending?: () => void;
}

/**
 * Scores trials from their records alone, so that the same record always gives the same scores. When a metric waits for
 * a judge, as many trials are scored at a time as the judges accept, and are yielded as they finish. Once the run is
 * stopped, trials with open questions are not yielded any more; nor are those that wait for a batch. They are stored and can be scored
 * later.
 */
export async function* score(
  trials: AsyncIterable<readonly CasedTrial[]>,
  rules: Rules,
  needs: ScoringNeeds,
): AsyncGenerator<ScoredTrial[]> {
  const concurrency = Math.max(0, ...rules.metrics.map(({ metric }) => metric.concurrency ?? 0));
  if (concurrency === 0) {
    for await (const batch of trials)
      yield await Promise.all(batch.map(async (trial) => await scoreTrial(trial, rules, needs)));
    return;
  }
  const work = async (trial: CasedTrial) => await scoreUnlessStopped(trial, rules, needs);
  // Not the signal of the run: trials that were paid for must still come out of the source and be recorded.
  const limits = { concurrency, stop: new AbortController().signal };
  for await (const group of needs.executor.execute(flatten(trials), work, limits)) {
    const scored = group.filter((trial) => trial !== undefined);
    if (scored.length > 0) yield scored;
  }
}

async function* flatten(trials: AsyncIterable<readonly CasedTrial[]>): AsyncGenerator<CasedTrial> {
  for await (const batch of trials) yield* batch;
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
  needs.onJudging?.(1);
  try {
    const scored = await scoreTrial(trial, rules, { ...needs, asking: { stop, onNotAsked } });
    if (isWhole) return scored;
    if (!stop.aborted) needs.onPending?.();
    return undefined;
  } catch (error) {
    if (abort.aborted) return undefined;
    throw error;
  } finally {
    needs.onJudging?.(-1);
  }
}

async function scoreTrial(
  { case: testCase, trial }: CasedTrial,
  { metrics, scorecard, secrets, hidesFiles }: Rules,
  {
    signals,
    judgements,
    readBlob,
    asking,
  }: ScoringNeeds & { readonly asking?: Pick<MetricContext, 'stop' | 'onNotAsked'> },
): Promise<ScoredTrial> {
  const finish = (allVerdicts: Readonly<Record<string, Verdict>>): ScoredTrial => {
    // A metric may be the user's own program, whose errors can contain connection strings.
    const verdicts = secrets === undefined ? allVerdicts : secrets.json(allVerdicts);
    return { case: testCase, trial, verdicts, scorecard: evaluateCard(scorecard, verdicts, testCase) };
  };
  if (trial.status === 'cancelled') return finish({});
  const context: MetricContext = {
    signal: signals.abort,
    judgements,
    attempt: trial.attempt,
    ...asking,
    ...(hidesFiles !== true && { readBlob }),
  };
  return finish(await verdictsOf({ case: testCase, trial }, metrics, context));
}

type Verdicts = Record<string, Verdict>;

/**
 * Returns the verdicts of the metrics on a trial by metric name, in the order of the metrics. Metrics that judge the simulated
 * user come first: when the user was at fault, nothing that the target did is scored.
 */
async function verdictsOf(
  input: CasedTrial,
  metrics: readonly ResolvedMetric[],
  context: MetricContext,
): Promise<Verdicts> {
  const ofUser = metrics.filter(({ metric }) => metric.judgesUser === true);
  if (ofUser.length === 0) return await askAll(input, metrics, context);
  const ofTarget = metrics.filter(({ metric }) => metric.judgesUser !== true);
  const first = await askAll(input, ofUser, context);
  const rest = await askAll(withFault(input, first), ofTarget, context);
  return inOrder({ ...first, ...rest }, metrics);
}

async function askAll(
  input: CasedTrial,
  metrics: readonly ResolvedMetric[],
  context: MetricContext,
): Promise<Verdicts> {
  const verdicts = await Promise.all(metrics.map((metric) => verdictOf(metric, input, context)));
  return Object.fromEntries(metrics.map(({ name }, index) => [name, verdicts[index] as Verdict]));
}

/** Puts verdicts in the order of the metrics. */
function inOrder(verdicts: Readonly<Verdicts>, metrics: readonly ResolvedMetric[]): Verdicts {
  return Object.fromEntries(metrics.map(({ name }) => [name, verdicts[name] as Verdict]));
}

/** Marks a trial as invalidated when a metric finds the simulated user at fault. */
function withFault(input: CasedTrial, verdicts: Readonly<Verdicts>): CasedTrial {
  const fault = Object.values(verdicts).find(
    (verdict) => verdict.status === 'scored' && verdict.passed === false,
  );
  if (input.trial.spoilt !== undefined || fault?.status !== 'scored') return input;
  const spoilt = {
    kind: fault.label ?? 'user-at-fault',
    reason: fault.explanation ?? 'the user was at fault',
  };
  return { ...input, trial: { ...input.trial, spoilt } };
}

/** Asks one metric for its verdict. An error of the metric becomes its verdict and never stops the others. */
async function verdictOf(
  { metric }: ResolvedMetric,
  input: CasedTrial,
  context: MetricContext,
): Promise<Verdict> {
  const { status, error, spoilt, erased } = input.trial;
  if (erased !== undefined) {
    return { status: 'failed', code: erasedCode, reason: `its texts were erased on ${erased}` };
  }
  // A question that a recording lacks has not even failed.
  const isMeasurable = metric.measuresFailures === true && isTargetError(input.trial);
  if (status === 'failed' && !isMeasurable) {
    return { status: 'failed', code: 'trial-failed', reason: `no answer: ${error?.message ?? 'failed'}` };
  }
  const isInvalidated = spoilt !== undefined && metric.judgesUser !== true;
  if (isInvalidated && metric.measuresFailures !== true) return invalidatedVerdict(spoilt.reason);
  const verdict = await scoreSafely(metric, input, context);
  return isInvalidated && isScoreOfTarget(verdict) ? invalidatedVerdict(spoilt.reason) : verdict;
}

/** Latency stays valid when the simulated user was at fault; quality scores do not. */
function isScoreOfTarget(verdict: Verdict): boolean {
  return verdict.status === 'scored' && verdict.unit === undefined;
}

function invalidatedVerdict(reason: string): Verdict {
  return { status: 'failed', code: invalidatedCode, reason: `invalidated by the simulated user: ${reason}` };
}

type VerdictsByMetric = Readonly<Record<string, Verdict>>;

/**
 * Evaluates a scorecard over verdicts, which are given by the metric names of the run. The pass mark of the case replaces
 * the one of the scorecard. When a judge was asked several times, the result also has the total of each sample by itself.
 */
export function evaluateCard(
  scorecard: ResolvedScorecard | null,
  verdicts: VerdictsByMetric,
  { expected: { passMark } }: Pick<Case, 'expected'>,
): ScorecardResult | null {
  if (scorecard === null) return null;
  const result = {
    ...evaluate(scorecard, verdicts, passMark),
    ...(passMark !== undefined && { passMark }),
  };
  const samples = samplesOf(scorecard, verdicts).map((sample) => evaluate(scorecard, sample).total);
  if (samples.length === 0) return result;
  const totals = samples.filter((total) => total !== null);
  return totals.length < 2 || totals.length < samples.length ? result : { ...result, samples: totals };
}

function evaluate(
  scorecard: ResolvedScorecard,
  verdicts: VerdictsByMetric,
  passMark?: number,
): ScorecardResult {
  const byCriterion = new Map<string, Verdict>();
  for (const { name, metric } of scorecard.criteria) {
    const verdict = verdicts[metric];
    if (verdict !== undefined) byCriterion.set(name, verdict);
  }
  return scorecard.evaluate(byCriterion, passMark);
}

/**
 * Returns the verdicts with only the first sample of every judge, then with only the second, and so on; empty when
 * there are no repeated samples.
 */
function samplesOf({ criteria }: ResolvedScorecard, verdicts: VerdictsByMetric): VerdictsByMetric[] {
  let fewest = Number.POSITIVE_INFINITY;
  for (const { metric } of criteria) {
    const verdict = verdicts[metric];
    if (verdict?.status === 'scored') fewest = Math.min(fewest, verdict.samples?.length ?? fewest);
  }
  if (fewest === Number.POSITIVE_INFINITY) return [];
  return Array.from({ length: fewest }, (_, place) =>
    Object.fromEntries(criteria.flatMap(({ metric }) => atSample(metric, verdicts[metric], place))),
  );
}

function atSample(name: string, verdict: Verdict | undefined, place: number): [string, Verdict][] {
  if (verdict === undefined) return [];
  const sample = verdict.status === 'scored' ? verdict.samples?.[place] : undefined;
  return [[name, sample === undefined ? verdict : { ...verdict, ...sample }]];
}
