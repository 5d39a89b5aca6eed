import { checkConfidence, checkDomain } from '../check-domain.ts';
import { defaultConfidence, type IntervalBasis, type IntervalMethod } from '../interval.ts';
import { momentsOf } from '../moments.ts';
import {
  clipLimits,
  marginOf,
  type NormalInterval,
  type Range,
  shareRange,
  undefinedNormalInterval,
} from '../normal-interval.ts';
import { wilsonInterval } from '../proportion-interval.ts';
import { studentTQuantile } from '../student-t.ts';
import { type LabelCaution, labelCautionOf, leastInStratum } from './label-caution.ts';
import {
  partsOf,
  type PpiParts,
  type PpiValues,
  tune,
  tuneClustered,
  varianceOfMean,
} from './ppi-variance.ts';

/** Options of a mean by prediction-powered inference. */
export type PpiOptions = PpiValues & {
  /** The weight of the judge, from 0 (people alone) to 1 (plain PPI); tuned to the least variance by default. */
  readonly lambda?: number;
  /**
   * `wilson` for yes/no verdicts (the default for them) keeps its coverage near 0 and 1; `normal` is what other programs
   * print, and the only one for scores and for clusters.
   */
  readonly limits?: 'wilson' | 'normal';
  /** Confidence level, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
};

/** A mean of labels and of the judge's scores together; `n` is the number of all items. */
export type PpiMean = NormalInterval & {
  /** The number of labels. */
  readonly labels: number;
  /** The weight of the judge; null when there is no estimate. */
  readonly lambda: number | null;
  readonly caution: LabelCaution;
};

/**
 * Estimates the mean that people would give to all items from labels of a random part and the judge's scores of all. It
 * is valid however bad the judge is; a good one makes the interval narrower than people alone.
 *
 * Method: PPI++ (A. N. Angelopoulos et al., Science 382 (2023); arXiv 2311.01453): θ = λ·mean(f of the others) + mean(Y −
 * λf), SE² = λ² Var(f) / N + Var(Y − λf) / m, both with the divisors N and m, λ = Cov(Y, f) / ((1 + m/N) Var(f)) clipped to
 * [0, 1]. Limits `wilson`: Wilson's with the effective number of labels θ(1 − θ) / SE², for which ½ is added to each cell
 * of the table of labels and scores. Clusters: the variance of the sums of clusters times G / (G − 1), λ tuned to it,
 * and t with G − 1 degrees of freedom.
 *
 * @throws RangeError when lists differ in length, a value is not finite, λ is not in [0, 1], Wilson's limits are asked for
 * other values than 0 and 1 or with clusters, or the confidence is not strictly between 0 and 1.
 */
export function ppiMean(options: PpiOptions): PpiMean {
  return ppiMeanWithin(options);
}

/** Returns {@link ppiMean} with limits clipped to a given range, by default [0, 1] when all values are inside. */
export function ppiMeanWithin(options: PpiOptions, range?: Range): PpiMean {
  checkOptions(options);
  const { labels, scores, otherScores, clusters, confidence = defaultConfidence } = options;
  const [m, others] = [labels.length, otherScores.length];
  const isYesNo = [...labels, ...scores, ...otherScores].every((value) => value === 0 || value === 1);
  const isWilson =
    options.limits === undefined ? isYesNo && clusters === undefined : options.limits === 'wilson';
  checkDomain(
    !isWilson || (isYesNo && clusters === undefined),
    'limits',
    'wilson',
    'normal for scores and clusters',
  );
  const basis = { n: m + others, confidence, method: methodOf(isWilson, clusters !== undefined) };
  const reason = reasonOfNone(m, others);
  if (reason !== undefined) {
    const estimate = m === 0 ? null : momentsOf(labels).mean;
    const nothing = { labels: m, lambda: null, caution: 'too-few-labels' as const };
    return { ...undefinedNormalInterval({ ...basis, estimate, reason }), ...nothing };
  }
  const parts = partsOf(options);
  const lambda = options.lambda ?? (clusters === undefined ? tune(parts) : tuneClustered(options, parts));
  const estimate = parts.label.mean + lambda * (parts.other.mean - parts.score.mean);
  const point = { ...basis, estimate, labels: m, lambda, disagreements: disagreementsOf(options) };
  if (isWilson) return wilsonLimits(point, parts);
  const values = [labels, scores, otherScores].flat();
  const isShare = values.every((value) => value >= 0 && value <= 1);
  return normalLimits(point, options, range ?? (isShare ? shareRange : undefined));
}

function checkOptions({
  labels,
  scores,
  otherScores,
  clusters,
  lambda = 0,
  confidence = 0.5,
}: PpiOptions): void {
  checkConfidence(confidence);
  checkDomain(
    scores.length === labels.length,
    'scores.length',
    scores.length,
    `${labels.length}, as of labels`,
  );
  checkDomain(lambda >= 0 && lambda <= 1, 'lambda', lambda, 'from 0 to 1');
  for (const value of [...labels, ...scores, ...otherScores]) {
    if (!Number.isFinite(value)) checkDomain(false, 'a value', value, 'finite');
  }
  if (clusters === undefined) return;
  checkDomain(
    clusters.labelled.length === labels.length,
    'clusters.labelled.length',
    clusters.labelled.length,
    `${labels.length}`,
  );
  checkDomain(
    clusters.others.length === otherScores.length,
    'clusters.others.length',
    clusters.others.length,
    `${otherScores.length}`,
  );
}

function methodOf(isWilson: boolean, isClustered: boolean): IntervalMethod {
  if (isWilson) return 'ppi-wilson';
  return isClustered ? 'cluster-robust-t' : 'ppi';
}

function reasonOfNone(m: number, others: number): string | undefined {
  if (m < 2) return m === 0 ? 'no labels' : 'a single label shows no spread';
  return others === 0 ? 'every item is labelled: a judge adds nothing' : undefined;
}

function disagreementsOf({ labels, scores }: PpiValues): number {
  return labels.filter((label, place) => label !== scores[place]).length;
}

type Point = IntervalBasis & {
  readonly estimate: number;
  readonly labels: number;
  readonly lambda: number;
  readonly disagreements: number;
};

function normalLimits(point: Point, options: PpiOptions, range: Range | undefined): PpiMean {
  const { disagreements, ...basis } = point;
  const { estimate, lambda, labels, confidence } = basis;
  const { variance, clusters } = varianceOfMean(options, lambda);
  const standardError = Math.sqrt(variance);
  const found = { ...basis, standardError, ...(clusters === undefined ? {} : { clusters }) };
  if (clusters === 1 || variance === 0) {
    const reason = clusters === 1 ? 'a single cluster shows no spread' : 'the labels do not vary';
    return { ...undefinedNormalInterval({ ...found, reason }), labels, lambda, caution: 'too-few-labels' };
  }
  const margin =
    clusters === undefined
      ? marginOf(standardError, confidence)
      : -studentTQuantile({ p: (1 - confidence) / 2, degreesOfFreedom: clusters - 1 }) * standardError;
  const limits = clipLimits(estimate - margin, estimate + margin, range);
  const isShare = range === shareRange;
  const evidence = { estimate, ...limits, disagreements, isShort: labels < leastInStratum };
  const effectiveLabels = (estimate * (1 - estimate)) / variance;
  const caution = isShare ? labelCautionOf({ ...evidence, effectiveLabels }) : shortCaution(labels);
  return { ...found, status: 'defined', ...limits, caution };
}

function shortCaution(labels: number): LabelCaution {
  return labels < leastInStratum ? 'too-few-labels' : null;
}

/** The number added to each cell of the table of labels and scores. */
const added = 0.5;

function wilsonLimits({ disagreements, ...point }: Point, parts: PpiParts): PpiMean {
  const { estimate, lambda, labels, n, confidence } = point;
  const [both, labelOnly, scoreOnly] = parts.cells.map((count) => count + added) as [number, number, number];
  const m = labels + 4 * added;
  const mean = (both + labelOnly - lambda * (both + scoreOnly)) / m;
  const squares = (both * (1 - lambda) ** 2 + labelOnly + scoreOnly * lambda ** 2) / m;
  const passes = parts.score.mean * labels + parts.other.mean * parts.other.n + 2 * added;
  const passRate = passes / (n + 4 * added);
  const variance = (squares - mean ** 2) / labels + (lambda ** 2 * passRate * (1 - passRate)) / parts.other.n;
  const share = Math.min(1, Math.max(0, estimate));
  const shrunk = (share * labels + 2 * added) / m;
  const effectiveLabels = (shrunk * (1 - shrunk)) / variance;
  const { lower, upper } = wilsonInterval({
    successes: share * effectiveLabels,
    trials: effectiveLabels,
    confidence,
  });
  const limits = { lower: lower ?? 0, upper: upper ?? 1, isClipped: share !== estimate };
  const caution = labelCautionOf({ estimate: share, ...limits, effectiveLabels, disagreements });
  return {
    ...point,
    status: 'defined',
    estimate: share,
    standardError: Math.sqrt(variance),
    ...limits,
    caution,
  };
}
