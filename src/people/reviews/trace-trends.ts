import {
  traceTrends as traceMeasured,
  type TrendChoices,
} from '../../decide/analysis/trends/trace-trends.ts';
import type { PointView, ReviewedPoint } from '../../decide/analysis/trends/trend-points.ts';
import { listCategoryMeasures, listMeasures } from '../../decide/analysis/compare/comparison-measures.ts';
import { confidence } from '../../decide/analysis/summary/estimates.ts';
import { certifyRun } from '../../decide/certificates/certify-run.ts';
import { correctMean } from '../../decide/certificates/corrected-mean.ts';
import { judgesOf, readTargetJudges, type TargetJudges } from '../../decide/certificates/target-judges.ts';
import { metricsBehind } from '../../decide/gate/metrics-behind.ts';
import type { Estimate } from '../../core/schema/estimate.ts';
import type { Outcome } from '../../core/schema/result.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Trends } from '../../core/schema/trends.ts';
import { boundedMeanBounds } from '../../core/stats/means/bounded-mean.ts';
import type { Store } from '../../stores/store.ts';

/**
 * Computes the trends of the targets over their runs, with the values that rest on certified judges corrected. Every trend is
 * computed by this function. Throws as `traceTrends` of the analysis does, and `store-damaged`.
 */
export async function traceTrends(store: Store, choices: TrendChoices = {}): Promise<Trends> {
  return await traceMeasured(store, choices, async (run, view) => await reviewPoint(run, store, view));
}

async function reviewPoint(
  run: Run,
  store: Store,
  { target, measure, category }: PointView,
): Promise<ReviewedPoint | undefined> {
  // A gate that ignores certificates corrects nothing.
  if (run.gate.judge?.certified === 'ignore') return undefined;
  if (measure.unit !== undefined || !run.targets.some(({ name }) => name === target)) return undefined;
  const subject =
    measure.type === 'score'
      ? ({ measure: 'score' } as const)
      : ({ measure: 'metric', name: measure.name } as const);
  const behind = new Set(metricsBehind(subject, run.scorecard));
  const isJudged = run.metrics.some(({ name, judge }) => judge !== undefined && behind.has(name));
  if (!isJudged) return undefined;
  const all = await certifyRun(run, store);
  const certified = all.filter(({ metric, states }) => behind.has(metric.name) && states.length > 0);
  if (certified.length === 0) return undefined;
  const found = await readTargetJudges(run, store, { target, certified });
  const [unknown] = found.unknown.values();
  const { fingerprint = '' } = run.targets.find(({ name }) => name === target) ?? {};
  if (unknown !== undefined) return { judge: `unknown ${fingerprint}`, notCorrected: unknown.why };
  const judge = JSON.stringify(
    judgesOf(found, behind).map(({ errors: { calibration, rates } }) => [calibration.labels.hash, rates]),
  );
  return { judge, ...correctPoint(run, found, { behind, category, measure }) };
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
