import { createClusterNumbers, rangeOf } from '../../analysis/summary/estimates.ts';
import { clusterInterval } from '../../../core/stats/cluster-interval.ts';
import { createCompensatedSum } from '../../../core/stats/compensated-sum.ts';
import { meanInterval } from '../../../core/stats/mean-interval.ts';
import { boundedMeanBounds } from '../../../core/stats/means/bounded-mean.ts';
import { collectWeighted } from '../../../core/stats/means/weighted-values.ts';
import { createClusteredMoments } from '../../../core/stats/means/clustered-moments.ts';
import { shareOfClusters } from '../../../core/stats/means/mean-of-clusters.ts';
import { trialsWithoutFailure } from '../../../core/stats/planning/sample-size.ts';
import { wilsonLowerBound } from '../../../core/stats/proportion-interval.ts';
import { type Finding, notMeasured } from '../gate-rule.ts';
import {
  formatAttempts,
  formatShare,
  formatConfidence,
  formatNumber,
  describeSubject,
  formatCount,
  formatThreshold,
  type Subject,
} from '../phrases.ts';
import { type CaseValues, describeLeast } from './clusters-once.ts';
import type { SelectedCases } from './select-cases.ts';

const tolerance = 1e-9;

/** A rule that a mean is at least, or at most, a threshold. */
export interface MeanRule {
  readonly subject: Subject;
  readonly relation: 'at-least' | 'at-most';
  /** Returns the threshold on the scale of the numbers, given their unit; undefined for shares in [0, 1]. */
  readonly thresholdIn: (unit: string | undefined) => number;
  /** The confidence of the one-sided bound that is compared with the threshold in place of the mean. */
  readonly confidence?: number;
  /** The method for independent values that are all 0 or 1; exact by default. */
  readonly method?: 'clopper-pearson' | 'wilson';
  /** True when each cluster counts once, however many questions it has. */
  readonly isOfClusters?: boolean;
}

/** Evaluates a rule on the values of cases: by their mean, or by its bound. */
export function evaluateValues(rule: MeanRule, unit: string | undefined, values: CaseValues): Finding {
  const threshold = rule.thresholdIn(unit);
  const value = meanOf(values);
  const base = { value, threshold, n: values.values.length };
  const mean = `${nameMean(values)} ${formatNumber(value, unit)}`;
  if (!Number.isFinite(value)) return notMeasured('the missing values could be anything', { threshold });
  if (rule.confidence === undefined) return { ...base, ...compareMean(rule, unit, base), arithmetic: mean };
  const { confidence, method: named, subject } = rule;
  const bounds = boundsOfMean(values, {
    confidence,
    unit,
    method: named,
    isTruth: subject.measure === 'passed',
  });
  const level = `one-sided ${formatConfidence(rule.confidence)}`;
  if ('reason' in bounds) {
    const reason = `there is no ${level} bound: ${bounds.reason}`;
    return { ...base, outcome: 'inconclusive', reason, arithmetic: mean };
  }
  const { lower, upper, method } = bounds;
  const compared = compareBounds(rule, unit, { ...base, ...bounds });
  const share = rule.relation === 'at-least' ? 1 - threshold : threshold;
  const least =
    compared.outcome === 'inconclusive' && unit === undefined
      ? describeLeast(values, { share, confidence })
      : '';
  return {
    ...base,
    ...compared,
    reason: `${compared.reason}${least}`,
    arithmetic: `${mean}; ${level} bounds ${formatNumber(lower, unit)} and ${formatNumber(upper, unit)} (${method})`,
    lower,
    upper,
    confidence: rule.confidence,
  };
}

type ComparedValue = { readonly value: number; readonly threshold: number };

function compareMean(
  { subject, relation }: MeanRule,
  unit: string | undefined,
  { value, threshold }: ComparedValue,
): Pick<Finding, 'outcome' | 'reason'> {
  const isMissed = relation === 'at-least' ? value < threshold - tolerance : value > threshold + tolerance;
  const sides = relation === 'at-least' ? (['under', 'at least'] as const) : (['over', 'at most'] as const);
  const compared = `${describeSubject(subject)}, ${formatNumber(value, unit)}, is ${sides[isMissed ? 0 : 1]}`;
  return { outcome: isMissed ? 'fail' : 'pass', reason: `${compared} ${formatThreshold(threshold, unit)}` };
}

/** Compares the bounds of a mean with the threshold of its rule. */
export function compareBounds(
  rule: MeanRule,
  unit: string | undefined,
  compared: ComparedValue & { readonly lower: number; readonly upper: number },
): Pick<Finding, 'outcome' | 'reason'> {
  const { subject, relation, confidence = 0 } = rule;
  const { value, threshold, lower, upper } = compared;
  const [near, far] = relation === 'at-least' ? [lower, upper] : [-upper, -lower];
  const limit = relation === 'at-least' ? threshold : -threshold;
  const what = describeSubject(subject);
  const asked = formatThreshold(threshold, unit);
  const level = formatConfidence(confidence);
  const [isAbove, isBelow] = [near >= limit - tolerance, far < limit - tolerance];
  if (isAbove)
    return {
      outcome: 'pass',
      reason: `${what} ${describeRelation(relation, asked)} with ${level} confidence`,
    };
  if (isBelow) {
    const opposite = relation === 'at-least' ? 'under' : 'over';
    return { outcome: 'fail', reason: `${what} is ${opposite} ${asked} with ${level} confidence` };
  }
  const range = `could be from ${formatNumber(lower, unit)} to ${formatNumber(upper, unit)}`;
  const isPerfect =
    rule.isOfClusters !== true && unit === undefined && relation === 'at-least' && value >= 1 - tolerance;
  const needed = isPerfect && limit < 1 ? trialsWithoutFailure({ share: 1 - limit, confidence }) : undefined;
  const hint = needed === undefined ? '' : `; it takes ${needed} questions without a fault to show it`;
  return {
    outcome: 'inconclusive',
    reason: `${what}, ${formatNumber(value, unit)}, ${range}: ${asked} is neither shown nor ruled out${hint}`,
  };
}

function describeRelation(relation: MeanRule['relation'], asked: string): string {
  return relation === 'at-least' ? `is at least ${asked}` : `is at most ${asked}`;
}

function meanOf({ values, weights }: CaseValues): number {
  if (values.some((value) => !Number.isFinite(value))) return Number.NaN;
  const weighted = weights && collectWeighted({ values, weights }).current();
  if (weighted !== undefined) return weighted.moments().mean;
  const sum = createCompensatedSum();
  for (const value of values) sum.add(value);
  return sum.total() / values.length;
}

/** Names the mean of some cases: `mean of 20 cases`, with the number of equally heavy ones that say as much. */
function nameMean({ values, weights, noun }: CaseValues): string {
  const effective = weights && collectWeighted({ values, weights }).current()?.moments().effectiveCases;
  const cases = formatCount(values.length, noun ?? 'question');
  if (effective === undefined) return `mean of ${cases}`;
  return `weighted mean of ${cases} (effective n ${effective.toFixed(1)})`;
}

/**
 * The values a rule is evaluated on: the measured ones, or all of them with the missing ones at their worst or best.
 */
export type Scenario = 'measured' | 'worst' | 'best';

/**
 * Evaluates a rule on the measured values when they suffice. Otherwise the rule is decided only if the missing values
 * cannot change it, so that the worst and the best scenario agree; if they disagree, it is not measured.
 */
export function evaluateWithGaps(
  { planned, missing, missingWeight = 0 }: Pick<SelectedCases, 'planned' | 'missing' | 'missingWeight'>,
  minCoverage: number,
  evaluate: (scenario: Scenario) => Finding,
): Finding {
  const share = Math.min((planned - missing) / planned, 1 - missingWeight);
  const isEnough = planned > missing && share >= minCoverage - tolerance;
  if (isEnough) return evaluate('measured');
  const [worst, best] = [evaluate('worst'), evaluate('best')];
  const weight = missingWeight === 0 ? '' : `, ${formatShare(missingWeight)} of their weight`;
  const gap = `${formatAttempts(missing, planned, 'not measured')}${weight}`;
  if (worst.outcome === best.outcome) {
    return { ...worst, reason: `${gap}, and whatever their results: ${worst.reason}` };
  }
  const { threshold, n } = worst;
  const ends = `at worst: ${worst.arithmetic}; at best: ${best.arithmetic}`;
  return {
    outcome: 'not-measured',
    reason: `${gap}: it could be anything from ${worst.outcome} to ${best.outcome}`,
    arithmetic: ends,
    value: null,
    threshold,
    n,
  };
}

/** One-sided bounds of a mean, each at the given confidence; or the reason why there are none. */
export type Bounds =
  | { readonly lower: number; readonly upper: number; readonly method: string }
  | { readonly reason: string };

const equal = 1e-12;

/** Options of a bound. */
interface BoundOptions {
  readonly confidence: number;
  /** The unit of the values; undefined for shares in [0, 1]. */
  readonly unit: string | undefined;
  /** True when the values are shares of attempts that passed, rather than scores. */
  readonly isTruth?: boolean;
  /** The method for shares of attempts that passed; exact by default. */
  readonly method?: 'clopper-pearson' | 'wilson';
}

/**
 * Computes the bounds of a mean. Bounds of shares are valid for any distribution, see `boundedMeanBounds`: unseen
 * rare failures make Student's t wrong in up to two of three runs. Quantities with a unit have no greatest value, so
 * theirs are Student's t, cluster-robust when cases share clusters.
 */
function boundsOfMean(values: CaseValues, options: BoundOptions): Bounds {
  const { confidence, unit, method, isTruth = false } = options;
  if (unit !== undefined) return boundsByT(values, confidence, rangeOf(unit));
  // Wilson's bounds miss too often where cases have different weights, see `bench/weights.ts`.
  if (isTruth && method === 'wilson' && values.weights === undefined)
    return boundsByWilson(values, confidence);
  return boundsOfShares(values, [0, 1], confidence);
}

/** Computes the bounds of the mean of values that lie in a range. */
export function boundsOfShares(
  { values, clusters, weights }: CaseValues,
  range: readonly [number, number],
  confidence: number,
): Bounds {
  const interval = boundedMeanBounds({ values, clusters, weights, range, confidence });
  if (interval.status === 'undefined') return { reason: interval.reason };
  const { lower, upper } = interval;
  const isAlike = clusters === undefined && weights === undefined;
  const isCounted = isAlike && values.every((value) => range.includes(value));
  const name = isCounted ? 'Clopper-Pearson' : weights === undefined ? 'Gaffke' : 'Gaffke, weighted';
  return { lower, upper, method: name + describeClusters(interval) };
}

function boundsByWilson({ values, clusters }: CaseValues, confidence: number): Bounds {
  if (clusters === undefined && values.every((value) => value === 0 || value === 1)) {
    const [trials, successes] = [values.length, values.filter((value) => value === 1).length];
    const below = wilsonLowerBound({ successes, trials, confidence });
    const above = wilsonLowerBound({ successes: trials - successes, trials, confidence });
    if (below.lower === null || above.lower === null) return { reason: 'there are no attempts' };
    return { lower: below.lower, upper: 1 - above.lower, method: 'Wilson' };
  }
  const numbers = createClusterNumbers();
  const moments = createClusteredMoments();
  for (const [place, value] of values.entries()) moments.add(value, numbers.of(clusters?.[place]));
  const interval = shareOfClusters(moments.current(), 2 * confidence - 1);
  if (interval.status === 'undefined') return { reason: interval.reason };
  const { lower, upper } = interval;
  return { lower, upper, method: `effective Wilson${describeClusters(interval)}` };
}

function boundsByT(
  { values, clusters, weights }: CaseValues,
  confidence: number,
  [least, most]: readonly [number, number],
): Bounds {
  const [first = 0] = values;
  if (values.length > 1 && values.every((value) => Math.abs(value - first) <= equal * Math.abs(first)))
    return { reason: 'the values do not vary, so their spread is unknown' };
  const twoSided = 2 * confidence - 1;
  const interval =
    clusters === undefined && weights === undefined
      ? meanInterval({ values, confidence: twoSided })
      : clusterInterval({
          values,
          clusters: clusters ?? values.map((_, place) => place),
          weights,
          confidence: twoSided,
        });
  if (interval.status === 'undefined') return { reason: interval.reason };
  const [lower, upper] = [Math.max(least, interval.lower), Math.min(most, interval.upper)];
  return {
    lower,
    upper,
    method:
      (clusters !== undefined ? 'cluster-robust t' : weights === undefined ? 't' : 'weighted t') +
      describeClusters(interval),
  };
}

function describeClusters({ clusters }: { readonly clusters?: number }): string {
  return clusters === undefined ? '' : `, ${formatCount(clusters, 'cluster')}`;
}
