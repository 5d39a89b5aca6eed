import { holm } from '../../../core/stats/adjust-p-values.ts';
import type { Estimate } from '../../../core/schema/estimate.ts';
import type { RunDifference, Sensitivity } from '../../../core/schema/run-comparison.ts';
import { type BoundedMeans, createBoundedMeans } from '../../../core/stats/means/bounded-means.ts';
import { type ClusteredMoments, namedClusters } from '../../../core/stats/means/clustered-moments.ts';
import { varianceOf } from '../../../core/stats/moments.ts';
import { mcnemar, type PairedCounts } from '../../../core/stats/paired/mcnemar.ts';
import { tangoInterval } from '../../../core/stats/paired/tango-interval.ts';
import { detectableByBounds } from '../../../core/stats/planning/bounded-sample-size.ts';
import { minimumDetectableDifference, pairedSampleSize } from '../../../core/stats/planning/sample-size.ts';
import { studentTCdf } from '../../../core/stats/student-t.ts';
import { confidence, estimateDifference, toEstimate, withCautions } from '../summary/estimates.ts';

/** The sums and counts of the differences of paired values, newer minus older. */
export interface Differences {
  readonly pairs: number;
  readonly onlyOlder: number;
  readonly onlyNewer: number;
  readonly neither: number;
  readonly sumOlder: number;
  readonly sumNewer: number;
  /** The sum of the weights of the pairs that both runs measured: their number, where all weigh the same. */
  readonly sumWeights: number;
  readonly means: BoundedMeans;
  /** The largest absolute difference. */
  readonly largest: number;
  /** Number of pairs on which the newer run is higher, lower, or equal. */
  readonly higher: number;
  readonly lower: number;
  readonly equal: number;
  /**
   * If all values are 0 or 1 from single attempts, the counts of 1 in the newer run (A) and the older one (B);
   * otherwise undefined.
   */
  readonly counts: PairedCounts | undefined;
}

/** The relative difference below which two means differ by rounding alone. */
const rounding = 1e-12;

/** Returns the newer value minus the older one; 0 when they differ by rounding alone. */
export function differenceOf(older: number, newer: number): number {
  const difference = newer - older;
  return Math.abs(difference) <= rounding * (Math.abs(newer) + Math.abs(older)) ? 0 : difference;
}

/**
 * Creates a tally of paired values, one pair at a time with NaN for a missing value, in memory that does not grow with
 * them, plus 12 bytes for each cluster.
 * @param isRepeated - True when values are means of several attempts: they are not boolean then, even if all attempts
 * agree.
 */
export function createDifferenceTally(isRepeated = false) {
  const means = createBoundedMeans([-1, 1]);
  const tally = { pairs: 0, onlyOlder: 0, onlyNewer: 0, neither: 0, sumOlder: 0, sumNewer: 0, sumWeights: 0 };
  const signs = { largest: 0, higher: 0, lower: 0, equal: 0 };
  const truths = { both: 0, aOnly: 0, bOnly: 0, neither: 0 };
  let isBinary = !isRepeated;

  function addBoth([older, newer]: Pair, cluster: number | undefined, weight: number | undefined): void {
    const difference = differenceOf(older, newer);
    means.add(difference, cluster, weight);
    tally.sumOlder += older * (weight ?? 1);
    tally.sumNewer += newer * (weight ?? 1);
    tally.sumWeights += weight ?? 1;
    signs.largest = Math.max(signs.largest, Math.abs(difference));
    if (difference > 0) signs.higher += 1;
    else if (difference < 0) signs.lower += 1;
    else signs.equal += 1;
    isBinary &&= (older === 0 || older === 1) && (newer === 0 || newer === 1);
    if (isBinary) truths[truthOf(newer, older)] += 1;
  }

  return {
    /**
     * @param pair - The older and the newer value.
     * @param cluster - The number of the pair's cluster; undefined when pairs are independent.
     * @param weight - The weight of the case; undefined where all weigh the same.
     */
    add: ([older, newer]: Pair, cluster: number | undefined, weight?: number): void => {
      tally.pairs += 1;
      const hasOlder = !Number.isNaN(older);
      const hasNewer = !Number.isNaN(newer);
      if (hasOlder && hasNewer) addBoth([older, newer], cluster, weight);
      else if (hasOlder) tally.onlyOlder += 1;
      else if (hasNewer) tally.onlyNewer += 1;
      else tally.neither += 1;
    },
    summarize: (): Differences => ({ ...tally, ...signs, means, counts: isBinary ? truths : undefined }),
  };
}

/** The values of a case in the older and in the newer run. */
type Pair = readonly [older: number, newer: number];

function truthOf(a: number, b: number): keyof PairedCounts {
  if (a === b) return a === 1 ? 'both' : 'neither';
  return a === 1 ? 'aOnly' : 'bOnly';
}

/** The least number of pairs: with fewer, no assumption-free test can distinguish a difference from chance. */
export const leastPairs = 5;

/** A mean difference with its test of no difference. */
interface TestedDifference {
  readonly estimate: Estimate;
  /** The two-sided p-value; null with too few pairs. */
  readonly pValue: number | null;
  /**
   * The two-sided p-value of as many questions, or clusters of them, above 0 as below; absent where `pValue` is of that
   * test, or nothing bounds the values.
   */
  readonly signPValue?: number | null;
  /**
   * The standard deviation of one difference, whose square over n is the variance of the mean; null without spread.
   */
  readonly standardDeviation: number | null;
}

/** The standard error, relative to the largest difference, below which it is rounding noise. */
const noise = 1e-14;

/**
 * Tests a mean difference. Boolean values have McNemar's mid-p and Tango's interval; scores, and means of several
 * attempts, Gaffke's bounds, which hold whatever rare losses were not seen; quantities the paired t test, cluster-robust
 * (CR2, see `clusterInterval`) with clusters. Quantities whose differences are all equal have no spread: they have the
 * exact sign-flip test, p = 2 / 2^units.
 * @param unit - Undefined for shares.
 */
export function testDifferences(differences: Differences, unit?: string): TestedDifference {
  const moments = differences.means.current();
  const isCounted = moments.spread === undefined && differences.counts !== undefined && unit === undefined;
  const tested = isCounted
    ? testCounts(differences, moments)
    : (testShares(differences, moments, unit) ?? testMean(differences, moments, unit));
  const isFew = moments.n < leastPairs;
  return isFew ? { ...tested, pValue: null, ...('signPValue' in tested && { signPValue: null }) } : tested;
}

function testCounts({ counts }: Differences, moments: ClusteredMoments): TestedDifference {
  const paired = counts ?? { both: 0, aOnly: 0, bOnly: 0, neither: 0 };
  const deviation = Math.sqrt(varianceOf(moments));
  return {
    estimate: withCautions(toEstimate(tangoInterval({ ...paired, confidence }))),
    pValue: mcnemar(paired).pValue,
    standardDeviation: deviation > 0 ? deviation : null,
  };
}

/** Tests a mean of shares by the chances that Gaffke's bounds leave to no difference; undefined for quantities. */
function testShares(
  { means, largest }: Differences,
  moments: ClusteredMoments,
  unit: string | undefined,
): TestedDifference | undefined {
  const chances = unit === undefined ? means.chances(0) : undefined;
  if (chances === undefined) return undefined;
  const estimate = estimateDifference(means);
  const units = moments.spread?.clusters ?? moments.n;
  if (units < 2) {
    return { estimate, pValue: null, signPValue: null, standardDeviation: null };
  }
  const { above, below } = means.signs();
  const { standardError } = uncertaintyOf(moments);
  return {
    estimate,
    pValue: Math.min(1, 2 * Math.min(chances.above, chances.below)),
    signPValue: mcnemar({ aOnly: above, bOnly: below }).pValue,
    standardDeviation: standardError <= noise * largest ? null : standardError * Math.sqrt(moments.n),
  };
}

function testMean(
  { means, largest }: Differences,
  moments: ClusteredMoments,
  unit: string | undefined,
): TestedDifference {
  const { n, mean, spread } = moments;
  const units = spread?.clusters ?? n;
  const isShared = spread !== undefined && spread.areSingles !== true;
  const method = isShared ? 'cluster-robust-t' : spread === undefined ? 't' : 'weighted-t';
  const none = {
    n,
    ...namedClusters(spread),
    confidence,
    method,
    value: n === 0 ? null : mean,
    lower: null,
    upper: null,
  };
  const withoutTest = (reason: string, pValue: number | null): TestedDifference => ({
    estimate: withCautions({ ...none, reason }, moments, unit),
    pValue,
    standardDeviation: null,
  });
  if (n === 0) return withoutTest('no pairs', null);
  if (units < 2) return withoutTest(`a single ${isShared ? 'cluster' : 'pair'} shows no spread`, null);
  const { standardError, degreesOfFreedom } = uncertaintyOf(moments);
  if (standardError <= noise * largest)
    return withoutTest('the differences do not vary', largest === 0 ? 1 : 2 ** (1 - units));
  return {
    estimate: estimateDifference(means, unit),
    pValue: 2 * studentTCdf({ t: -Math.abs(mean / standardError), degreesOfFreedom }),
    standardDeviation: standardError * Math.sqrt(n),
  };
}

function uncertaintyOf(moments: ClusteredMoments) {
  const { n, spread } = moments;
  if (spread === undefined)
    return { standardError: Math.sqrt(varianceOf(moments) / n), degreesOfFreedom: n - 1 };
  return { standardError: Math.sqrt(spread.unbiasedVariance), degreesOfFreedom: spread.degreesOfFreedom };
}

/** The subject of a row in a comparison. */
interface RowSubject extends Pick<RunDifference, 'measure' | 'name' | 'better'> {
  readonly unit: string | undefined;
  readonly isRuleChanged: boolean;
  /** True when B is the newer run: differences are computed as newer minus older, and reported as B minus A. */
  readonly isForward: boolean;
}

const power = 0.8;
/**
 * Differences of shares that are commonly of interest; the plan covers the largest of those that are too small to
 * detect.
 */
const askedFor: readonly number[] = [0.1, 0.05, 0.02, 0.01, 0.005];

/** Creates a row of a comparison. Its finding is set later, when all rows are corrected together. */
export function createRow(differences: Differences, subject: RowSubject): RunDifference {
  const { isForward, isRuleChanged, unit, ...named } = subject;
  const { pValue, signPValue, standardDeviation, estimate } = testDifferences(differences, unit);
  const { n } = estimate;
  const meanOf = (sum: number) => (n === 0 ? null : sum / differences.sumWeights);
  const newer = { mean: meanOf(differences.sumNewer), only: differences.onlyNewer };
  const older = { mean: meanOf(differences.sumOlder), only: differences.onlyOlder };
  const [a, b] = isForward ? [older, newer] : [newer, older];
  const { higher, lower } = differences;
  return {
    ...named,
    ...(unit === undefined ? {} : { unit }),
    meanA: a.mean,
    meanB: b.mean,
    difference: isForward ? estimate : mirrored(estimate),
    pValue,
    adjustedPValue: null,
    ...(signPValue !== undefined && { signPValue, adjustedSignPValue: null }),
    higher: isForward ? higher : lower,
    lower: isForward ? lower : higher,
    equal: differences.equal,
    pairs: differences.pairs,
    onlyA: a.only,
    onlyB: b.only,
    neither: differences.neither,
    finding: 'too-few',
    sensitivity: standardDeviation === null ? null : sensitivityOf(standardDeviation, estimate, unit),
    ...(isRuleChanged ? { isRuleChanged } : {}),
  };
}

/** Returns the estimate of the opposite difference. */
export function mirrored({ value, lower, upper, ...rest }: Estimate): Estimate {
  return { value: negated(value), lower: negated(upper), upper: negated(lower), ...rest };
}

/** Returns 0 − x, so that a difference is never −0. */
function negated(value: number | null): number | null {
  return value === null ? null : 0 - value;
}

function sensitivityOf(standardDeviation: number, estimate: Estimate, unit: string | undefined): Sensitivity {
  const planned = planFor(standardDeviation, estimate);
  const { detectable } = planned;
  const missed =
    unit === undefined ? askedFor.filter((difference) => difference < detectable).slice(0, 2) : [];
  const wanted = missed.length === 0 ? [detectable / 2] : missed;
  const plans = wanted.map((difference) => ({ difference, questions: planned.questionsFor(difference) }));
  return { detectable, power, confidence, plans };
}

function planFor(standardDeviation: number, { n, lower, upper, method }: Estimate) {
  if (method === 'gaffke' && lower !== null && upper !== null)
    return detectableByBounds({ standardDeviation, n, margin: (upper - lower) / 2, power, confidence });
  return {
    detectable: minimumDetectableDifference({ standardDeviation, n, power, confidence }).value,
    questionsFor: (difference: number) =>
      pairedSampleSize({ difference, standardDeviation, power, confidence }).n,
  };
}

/** Corrects the p-values of the rows that have one for their number, by Holm's method. */
export function adjustPValues<Row>(
  rows: readonly Row[],
  pValueOf: (row: Row) => number | null,
): Map<Row, number> {
  const tested = rows.filter((row) => pValueOf(row) !== null);
  const { adjusted } = holm({ pValues: tested.map((row) => pValueOf(row) ?? 1) });
  return new Map(tested.map((row, place) => [row, adjusted[place] ?? 1]));
}
