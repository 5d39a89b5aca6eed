import { createClusterNumbers, rangeOf } from '../../analysis/summary/estimates.ts';
import { clusterInterval } from '../../stats/cluster-interval.ts';
import { createCompensatedSum } from '../../stats/compensated-sum.ts';
import { meanInterval } from '../../stats/mean-interval.ts';
import { boundedMeanBounds } from '../../stats/means/bounded-mean.ts';
import { createClusteredMoments } from '../../stats/means/clustered-moments.ts';
import { shareOfClusters } from '../../stats/means/mean-of-clusters.ts';
import { trialsWithoutFailure } from '../../stats/planning/sample-size.ts';
import { wilsonLowerBound } from '../../stats/proportion-interval.ts';
import { type Finding, type GateEvidence, notMeasured } from './gate-rule.ts';
import { sayConfidence, sayNumber, sayOfSubject, sayPlural, sayThreshold, type Subject } from './phrases.ts';
import { clustersOf, selectCases, type SelectedCases } from './select-cases.ts';

const tolerance = 1e-9;

/** A mean that is to reach, or not to pass, a threshold. */
export interface MeanRule {
  readonly subject: Subject;
  readonly relation: 'at-least' | 'at-most';
  /** Given the unit of the numbers, undefined for shares in [0, 1]; in the same scale. */
  readonly thresholdIn: (unit: string | undefined) => number;
  /** Holds a one-sided bound against the threshold, in place of the mean. */
  readonly confidence?: number | undefined;
  /** For independent values that are all 0 or 1; exact unless another is named. */
  readonly method?: 'clopper-pearson' | 'wilson' | undefined;
}

/** Decides on the mean over cases of their means over attempts, by the point or by its bound. */
export function holdMean(rule: MeanRule, evidence: GateEvidence): Finding {
  const numbers = evidence.numbersOf(rule.subject);
  if ('reason' in numbers) return notMeasured(numbers.reason);
  const selected = selectCases(evidence.cases, numbers);
  if (selected.cases.length === 0) return notMeasured(`no case has ${sayOfSubject(rule.subject)}`);
  const unit = numbers.unit();
  return holdWithGaps(selected, evidence.run.gate.minCoverage, (supposition) =>
    judge(rule, unit, valuesUnder(selected, supposition)),
  );
}

/** The values of cases under a supposition; without one, of those that were measured. */
function valuesUnder({ cases, numbers }: SelectedCases, supposition: Supposition): CaseValues {
  const part = ({ measured: 'value', worst: 'low', best: 'high' } as const)[supposition];
  const kept = cases.flatMap((each, index) => {
    const value = numbers[index]?.[part] ?? Number.NaN;
    return Number.isNaN(value) ? [] : [{ each, value }];
  });
  return {
    values: kept.map(({ value }) => value),
    clusters: clustersOf(kept.map(({ each }) => each)),
  };
}

function judge(rule: MeanRule, unit: string | undefined, values: CaseValues): Finding {
  const threshold = rule.thresholdIn(unit);
  const value = meanOf(values.values);
  const base = { value, threshold, n: values.values.length };
  const mean = `mean of ${sayPlural(base.n, 'case')} ${sayNumber(value, unit)}`;
  if (!Number.isFinite(value)) return notMeasured('what is missing could be anything', { threshold });
  if (rule.confidence === undefined) return { ...base, ...judgePoint(rule, unit, base), arithmetic: mean };
  const { confidence, method: named, subject } = rule;
  const bounds = boundsOfMean(values, {
    confidence,
    unit,
    method: named,
    isTruth: subject.measure === 'passed',
  });
  const level = `one-sided ${sayConfidence(rule.confidence)}`;
  if ('reason' in bounds) {
    const reason = `there is no ${level} bound: ${bounds.reason}`;
    return { ...base, outcome: 'inconclusive', reason, arithmetic: mean };
  }
  const { lower, upper, method } = bounds;
  return {
    ...base,
    ...judgeBounds(rule, unit, { ...base, ...bounds }),
    arithmetic: `${mean}; ${level} bounds ${sayNumber(lower, unit)} and ${sayNumber(upper, unit)} (${method})`,
    lower,
    upper,
    confidence: rule.confidence,
  };
}

type Held = { readonly value: number; readonly threshold: number };

function judgePoint(
  { subject, relation }: MeanRule,
  unit: string | undefined,
  { value, threshold }: Held,
): Pick<Finding, 'outcome' | 'reason'> {
  const isMissed = relation === 'at-least' ? value < threshold - tolerance : value > threshold + tolerance;
  const side = relation === 'at-least' ? 'under' : 'over';
  const said = `${sayOfSubject(subject)}, ${sayNumber(value, unit)}, is ${isMissed ? '' : 'not '}${side}`;
  return { outcome: isMissed ? 'fail' : 'pass', reason: `${said} ${sayThreshold(threshold, unit)}` };
}

function judgeBounds(
  rule: MeanRule,
  unit: string | undefined,
  held: Held & { readonly lower: number; readonly upper: number },
): Pick<Finding, 'outcome' | 'reason'> {
  const { subject, relation, confidence = 0 } = rule;
  const { value, threshold, lower, upper } = held;
  const [near, far] = relation === 'at-least' ? [lower, upper] : [-upper, -lower];
  const limit = relation === 'at-least' ? threshold : -threshold;
  const what = sayOfSubject(subject);
  const asked = sayThreshold(threshold, unit);
  const level = sayConfidence(confidence);
  const [isAbove, isBelow] = [near >= limit - tolerance, far < limit - tolerance];
  if (isAbove)
    return { outcome: 'pass', reason: `${what} ${sayAtLeast(relation, asked)} with ${level} confidence` };
  if (isBelow) {
    const opposite = relation === 'at-least' ? 'under' : 'over';
    return { outcome: 'fail', reason: `${what} is ${opposite} ${asked} with ${level} confidence` };
  }
  const range = `could be from ${sayNumber(lower, unit)} to ${sayNumber(upper, unit)}`;
  const isPerfect = unit === undefined && relation === 'at-least' && value >= 1 - tolerance;
  const needed = isPerfect && limit < 1 ? trialsWithoutFailure({ share: 1 - limit, confidence }) : undefined;
  const hint = needed === undefined ? '' : `; it takes ${needed} cases without a fault to show it`;
  return {
    outcome: 'inconclusive',
    reason: `${what}, ${sayNumber(value, unit)}, ${range}: ${asked} is neither shown nor ruled out${hint}`,
  };
}

function sayAtLeast(relation: MeanRule['relation'], asked: string): string {
  return relation === 'at-least' ? `is at least ${asked}` : `is at most ${asked}`;
}

function meanOf(values: readonly number[]): number {
  if (values.some((value) => !Number.isFinite(value))) return Number.NaN;
  const sum = createCompensatedSum();
  for (const value of values) sum.add(value);
  return sum.total() / values.length;
}

/** What was measured, or what would be had all that is missing come out as badly or as well as it could. */
export type Supposition = 'measured' | 'worst' | 'best';

/**
 * Decides on what was measured when that is enough. Where it is not, decides only what all that is missing could not change:
 * the same finding at worst and at best; anything else is not measured.
 */
export function holdWithGaps(
  { planned, missing }: Pick<SelectedCases, 'planned' | 'missing'>,
  minCoverage: number,
  judge: (supposition: Supposition) => Finding,
): Finding {
  const isEnough = planned > missing && (planned - missing) / planned >= minCoverage - tolerance;
  if (isEnough) return judge('measured');
  const [worst, best] = [judge('worst'), judge('best')];
  const gap = `${missing} of ${planned} trials were not measured`;
  if (worst.outcome === best.outcome) {
    return { ...worst, reason: `${gap}, and whatever they had given: ${worst.reason}` };
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

/** The values of cases, and the clusters that some of them share. */
interface CaseValues {
  readonly values: readonly number[];
  /** At the same positions; undefined when the cases do not depend on each other. */
  readonly clusters: readonly string[] | undefined;
}

/** One-sided bounds of a mean, each at the confidence; or the reason why there are none. */
export type Bounds =
  | { readonly lower: number; readonly upper: number; readonly method: string }
  | { readonly reason: string };

const equal = 1e-12;

/** How bounds are made. */
interface BoundOptions {
  readonly confidence: number;
  /** Of the values; undefined for shares in [0, 1]. */
  readonly unit: string | undefined;
  /** Whether the values are shares of attempts of which something is true, and not scores. */
  readonly isTruth?: boolean;
  /** Of shares of which something is true; exact unless another is named. */
  readonly method?: 'clopper-pearson' | 'wilson' | undefined;
}

/**
 * Shares have bounds that hold whatever their distribution is, see `boundedMeanBounds`: rare failures that were not seen make
 * Student's t wrong in up to two of three runs. Quantities with a unit have no greatest value, so theirs are Student's t,
 * cluster-robust where cases share clusters.
 */
function boundsOfMean(given: CaseValues, options: BoundOptions): Bounds {
  const { confidence, unit, method, isTruth = false } = options;
  if (unit !== undefined) return boundsByT(given, confidence, rangeOf(unit));
  if (isTruth && method === 'wilson') return boundsByWilson(given, confidence);
  return boundsOfShares(given, [0, 1], confidence);
}

/** Bounds of the mean of values that cannot leave a range. */
export function boundsOfShares(
  { values, clusters }: CaseValues,
  range: readonly [number, number],
  confidence: number,
): Bounds {
  const interval = boundedMeanBounds({ values, clusters, range, confidence });
  if (interval.status === 'undefined') return { reason: interval.reason };
  const { lower, upper } = interval;
  const isCounted = clusters === undefined && values.every((value) => range.includes(value));
  const name = isCounted ? 'Clopper-Pearson' : 'Gaffke';
  return { lower, upper, method: name + sayClusters(interval) };
}

function boundsByWilson({ values, clusters }: CaseValues, confidence: number): Bounds {
  if (clusters === undefined && values.every((value) => value === 0 || value === 1)) {
    const [trials, successes] = [values.length, values.filter((value) => value === 1).length];
    const below = wilsonLowerBound({ successes, trials, confidence });
    const above = wilsonLowerBound({ successes: trials - successes, trials, confidence });
    if (below.lower === null || above.lower === null) return { reason: 'there are no trials' };
    return { lower: below.lower, upper: 1 - above.lower, method: 'Wilson' };
  }
  const numbers = createClusterNumbers();
  const moments = createClusteredMoments();
  for (const [place, value] of values.entries()) moments.add(value, numbers.of(clusters?.[place]));
  const interval = shareOfClusters(moments.current(), 2 * confidence - 1);
  if (interval.status === 'undefined') return { reason: interval.reason };
  const { lower, upper } = interval;
  return { lower, upper, method: `effective Wilson${sayClusters(interval)}` };
}

function boundsByT(
  { values, clusters }: CaseValues,
  confidence: number,
  [least, most]: readonly [number, number],
): Bounds {
  const [first = 0] = values;
  if (values.length > 1 && values.every((value) => Math.abs(value - first) <= equal * Math.abs(first)))
    return { reason: 'the values do not vary, so their spread is unknown' };
  const twoSided = 2 * confidence - 1;
  const interval =
    clusters === undefined
      ? meanInterval({ values, confidence: twoSided })
      : clusterInterval({ values, clusters, confidence: twoSided });
  if (interval.status === 'undefined') return { reason: interval.reason };
  const [lower, upper] = [Math.max(least, interval.lower), Math.min(most, interval.upper)];
  return {
    lower,
    upper,
    method: (clusters === undefined ? 't' : 'cluster-robust t') + sayClusters(interval),
  };
}

function sayClusters({ clusters }: { readonly clusters?: number }): string {
  return clusters === undefined ? '' : `, ${sayPlural(clusters, 'cluster')}`;
}
