import { listCategoryMeasures, listMeasures } from '../analysis/compare/comparison-measures.ts';
import { confidence } from '../analysis/summary/estimates.ts';
import type { PointView, ReviewedPoint } from '../analysis/trends/trend-points.ts';
import { type CertifiedMetric, certifyRun } from '../certificates/certify-run.ts';
import { correctMean } from '../certificates/corrected-mean.ts';
import { judgesOf, readTargetJudges, type TargetJudges } from '../certificates/target-judges.ts';
import { withoutConditions } from '../../core/schema/condition.ts';
import type { Estimate } from '../../core/schema/estimate.ts';
import type { Outcome } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import type { MetricSummary, TargetSummary } from '../../core/schema/summary.ts';
import { boundedMeanBounds } from '../../core/stats/means/bounded-mean.ts';
import type { Store } from '../../stores/store.ts';
import { metricsBehind } from './metrics-behind.ts';

/** A run with the certificates of its judged metrics. */
export interface CertifiedRun {
  readonly run: Run;
  readonly store: Store;
  readonly certified: readonly CertifiedMetric[];
}

/**
 * Returns the targets of a run with the scores that people would give, where these rest on certified judges, or with the reason
 * why they are not known, and with the means of their judged metrics. Targets under conditions, and attempts at what had failed, have no such score. Throws `store-damaged`.
 */
export async function correctScores(
  ofRun: CertifiedRun,
  targets: readonly TargetSummary[],
): Promise<TargetSummary[]> {
  const plain = new Set(withoutConditions(ofRun.run.targets).map(({ name }) => name));
  const corrected: TargetSummary[] = [];
  for (const { corrected: _before, notCorrected: _why, ...target } of targets) {
    const isWhole =
      plain.has(target.target) && target.failedAgain === undefined && target.score.value !== null;
    const found = isWhole ? await correctCertified(ofRun, scoreOf(target)) : undefined;
    const { judge: _judge, ...part } = found ?? {};
    const isPlain = plain.has(target.target) && target.failedAgain === undefined;
    const metrics = isPlain ? await correctMetrics(ofRun, target) : target.metrics;
    corrected.push({ ...target, metrics, ...part });
  }
  return corrected;
}

/** Returns the metrics of a target, each with its mean as people would say it. */
async function correctMetrics(
  ofRun: CertifiedRun,
  { target, metrics }: Pick<TargetSummary, 'target' | 'metrics'>,
): Promise<MetricSummary[]> {
  const corrected: MetricSummary[] = [];
  for (const { corrected: _before, notCorrected: _why, ...metric } of metrics) {
    const measure = { type: 'metric', name: metric.metric, unit: metric.unit } as const;
    const found =
      metric.estimate.value === null
        ? undefined
        : await correctCertified(ofRun, { target, measure, category: undefined });
    const { judge: _judge, ...part } = found ?? {};
    corrected.push({ ...metric, ...part });
  }
  return corrected;
}

function scoreOf({ target }: TargetSummary): PointView {
  return { target, measure: { type: 'score', name: 'score' }, category: undefined };
}

/**
 * Returns a number of a run as people would give it; undefined for one that rests on no certified judge. Throws `store-damaged`.
 */
export async function correctValue(
  run: Run,
  store: Store,
  view: PointView,
): Promise<ReviewedPoint | undefined> {
  if (judgedBehind(run, view).size === 0) return undefined;
  return await correctCertified({ run, store, certified: await certifyRun(run, store) }, view);
}

/** Returns the judged metrics that a number is made of; empty where it is a quantity, or certificates are to be ignored. */
function judgedBehind({ gate, metrics, scorecard }: Run, { measure }: PointView): ReadonlySet<string> {
  // A gate that ignores certificates corrects nothing.
  if (gate.judge?.certified === 'ignore' || measure.unit !== undefined) return new Set();
  const subject =
    measure.type === 'score'
      ? ({ measure: 'score' } as const)
      : ({ measure: 'metric', name: measure.name } as const);
  const behind = metricsBehind(subject, scorecard);
  const judged = new Set(metrics.flatMap(({ name, judge }) => (judge === undefined ? [] : [name])));
  return new Set(behind.filter((name) => judged.has(name)));
}

async function correctCertified(
  { run, store, certified }: CertifiedRun,
  view: PointView,
): Promise<ReviewedPoint | undefined> {
  const named = run.targets.find(({ name }) => name === view.target);
  const behind = judgedBehind(run, view);
  const asked = certified.filter(({ metric, states }) => behind.has(metric.name) && states.length > 0);
  if (named === undefined || asked.length === 0) return undefined;
  const found = await readTargetJudges(run, store, { target: view.target, certified: asked });
  const [unknown] = found.unknown.values();
  if (unknown !== undefined) return { judge: `unknown ${named.fingerprint}`, notCorrected: unknown.why };
  const judge = JSON.stringify(
    judgesOf(found, behind).map(({ errors: { calibration, rates } }) => [calibration.labels.hash, rates]),
  );
  return { judge, ...correctPoint(run, found, { ...view, behind }) };
}

function correctPoint(
  run: Run,
  found: TargetJudges,
  {
    behind,
    category,
    measure,
  }: Pick<PointView, 'category' | 'measure'> & { readonly behind: ReadonlySet<string> },
): Omit<ReviewedPoint, 'judge'> {
  if ('reason' in found.trials) return { notCorrected: found.trials.reason };
  const ofCategory =
    category === undefined || measure.type === 'metric'
      ? undefined
      : listCategoryMeasures(run, [category])[0];
  const whole = listMeasures(run).find((each) => each.measure === measure.type && each.name === measure.name);
  const read = (ofCategory ?? whole)?.read;
  if (read === undefined) return { notCorrected: 'it cannot be read again' };
  const isInCategory = ({ case: own }: Outcome) => category === undefined || own.category === category;
  const trials = found.trials.filter(({ outcome }) => isInCategory(outcome));
  const corrected = correctMean({
    trials,
    judges: judgesOf(found, behind),
    read,
    isPart: category !== undefined && trials.length < found.trials.length,
  });
  if ('reason' in corrected) return { notCorrected: corrected.reason };
  if (corrected.exact !== undefined) return { corrected: ofPeople(corrected.exact) };
  const limits = corrected.intervalAt(confidence);
  if ('reason' in limits) return { notCorrected: limits.reason };
  const { value, lower, upper } = limits;
  const n = new Set(trials.map(({ position }) => position)).size;
  return { corrected: { value, lower, upper, n, confidence, method: corrected.method } };
}

/** Estimates the mean of what people said of every answer. */
function ofPeople(exact: ReadonlyMap<number, number>): Estimate {
  const values = [...exact.values()];
  const value = values.reduce((sum, each) => sum + each, 0) / values.length;
  const found = boundedMeanBounds({ values, range: [0, 1], confidence: (1 + confidence) / 2 });
  return {
    value,
    lower: found.lower,
    upper: found.upper,
    n: values.length,
    confidence,
    method: found.method,
  };
}
