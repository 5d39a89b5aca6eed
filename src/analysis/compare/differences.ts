import type { Estimate } from '../../schema/estimate.ts';
import type { RunDifference, Sensitivity } from '../../schema/run-comparison.ts';
import { createClusterSpread } from '../../stats/means/clustered-moments.ts';
import { createMoments, type Moments, varianceOf } from '../../stats/moments.ts';
import { mcnemar, type PairedCounts } from '../../stats/paired/mcnemar.ts';
import { tangoInterval } from '../../stats/paired/tango-interval.ts';
import { minimumDetectableDifference, pairedSampleSize } from '../../stats/planning/sample-size.ts';
import { studentInterval, studentTCdf } from '../../stats/student-t.ts';
import {
  confidence,
  rangeOfDifference,
  toEstimate,
  withCautions,
  withinRange,
} from '../summary/estimates.ts';

/** The sums and counts of the differences of paired values, newer minus older. */
export interface Differences {
  readonly pairs: number;
  readonly onlyOlder: number;
  readonly onlyNewer: number;
  readonly neither: number;
  readonly sumOlder: number;
  readonly sumNewer: number;
  readonly moments: Moments;
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
  /** Sum and number of differences by cluster; undefined without clusters. */
  readonly clusters: { readonly sums: Float64Array; readonly sizes: Uint32Array } | undefined;
}

/** The relative difference below which two means differ by rounding alone. */
const rounding = 1e-12;

/** Returns the newer value minus the older one; 0 when they differ by rounding alone. */
export function differenceOf(older: number, newer: number): number {
  const difference = newer - older;
  return Math.abs(difference) <= rounding * (Math.abs(newer) + Math.abs(older)) ? 0 : difference;
}

/**
 * Creates a tally of paired values, one pair at a time with NaN for a missing value, in constant memory plus 12 bytes
 * for each cluster.
 * @param clusterCount - Undefined when pairs are independent.
 * @param isRepeated - True when values are means of several attempts: they are not boolean then, even if all attempts
 * agree.
 */
export function createDifferenceTally(clusterCount: number | undefined, isRepeated = false) {
  const moments = createMoments();
  const tally = { pairs: 0, onlyOlder: 0, onlyNewer: 0, neither: 0, sumOlder: 0, sumNewer: 0 };
  const signs = { largest: 0, higher: 0, lower: 0, equal: 0 };
  const truths = { both: 0, aOnly: 0, bOnly: 0, neither: 0 };
  const clusters =
    clusterCount === undefined
      ? undefined
      : { sums: new Float64Array(clusterCount), sizes: new Uint32Array(clusterCount) };
  let isBinary = !isRepeated;

  function addBoth(older: number, newer: number, cluster: number): void {
    const difference = differenceOf(older, newer);
    moments.add(difference);
    tally.sumOlder += older;
    tally.sumNewer += newer;
    signs.largest = Math.max(signs.largest, Math.abs(difference));
    if (difference > 0) signs.higher += 1;
    else if (difference < 0) signs.lower += 1;
    else signs.equal += 1;
    isBinary &&= (older === 0 || older === 1) && (newer === 0 || newer === 1);
    if (isBinary) truths[truthOf(newer, older)] += 1;
    if (clusters === undefined) return;
    clusters.sums[cluster] = (clusters.sums[cluster] as number) + difference;
    clusters.sizes[cluster] = (clusters.sizes[cluster] as number) + 1;
  }

  return {
    add: (older: number, newer: number, cluster: number): void => {
      tally.pairs += 1;
      const hasOlder = !Number.isNaN(older);
      const hasNewer = !Number.isNaN(newer);
      if (hasOlder && hasNewer) addBoth(older, newer, cluster);
      else if (hasOlder) tally.onlyOlder += 1;
      else if (hasNewer) tally.onlyNewer += 1;
      else tally.neither += 1;
    },
    summarize: (): Differences => ({
      ...tally,
      ...signs,
      moments: moments.current(),
      counts: isBinary ? truths : undefined,
      clusters,
    }),
  };
}

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
   * The standard deviation of one difference, whose square over n is the variance of the mean; null without spread.
   */
  readonly standardDeviation: number | null;
}

/** The standard error, relative to the largest difference, below which it is rounding noise. */
const noise = 1e-14;

/**
 * Tests a mean difference. Boolean values have McNemar's mid-p and Tango's interval; scores, and means of several
 * attempts, the paired t test, cluster-robust (CR2, see `clusterInterval`) with clusters. Differences that are all
 * equal have no spread: they have the exact sign-flip test, p = 2 / 2^units.
 */
export function testDifferences(differences: Differences): TestedDifference {
  const { moments, counts, clusters } = differences;
  const { n } = moments;
  const tested =
    clusters === undefined && counts !== undefined ? testCounts(differences) : testMean(differences);
  const estimate = { ...tested.estimate, ...(clusters && n > 0 && countClusters(clusters.sizes)) };
  return { ...tested, estimate, ...(n < leastPairs && { pValue: null }) };
}

/**
 * Returns the number of clusters, and the number of clusters of equal size that would be as informative; see
 * `Estimate`.
 */
function countClusters(sizes: Uint32Array): Pick<Estimate, 'clusters' | 'effectiveClusters'> {
  let [clusters, n, squares] = [0, 0, 0];
  for (const size of sizes) {
    clusters += Number(size > 0);
    n += size;
    squares += size ** 2;
  }
  return { clusters, effectiveClusters: n ** 2 / squares };
}

function testCounts({ counts, moments }: Differences): TestedDifference {
  const paired = counts ?? { both: 0, aOnly: 0, bOnly: 0, neither: 0 };
  const deviation = Math.sqrt(varianceOf(moments));
  return {
    estimate: toEstimate(tangoInterval({ ...paired, confidence })),
    pValue: mcnemar(paired).pValue,
    standardDeviation: deviation > 0 ? deviation : null,
  };
}

function testMean(differences: Differences): TestedDifference {
  const { moments, clusters, largest } = differences;
  const { n, mean } = moments;
  const units = clusters === undefined ? n : clusters.sizes.reduce((sum, size) => sum + Number(size > 0), 0);
  const method = clusters === undefined ? 't' : 'cluster-robust-t';
  const basis = { n, confidence, method } as const;
  const none = { ...basis, value: n === 0 ? null : mean, lower: null, upper: null };
  if (units < 2) {
    const reason =
      n === 0 ? 'no pairs' : `a single ${clusters === undefined ? 'pair' : 'cluster'} shows no spread`;
    return { estimate: { ...none, reason }, pValue: null, standardDeviation: null };
  }
  const { standardError, degreesOfFreedom } = uncertaintyOf(differences);
  if (standardError <= noise * largest) {
    const pValue = largest === 0 ? 1 : 2 ** (1 - units);
    const reason = 'the differences do not vary';
    return { estimate: { ...none, reason }, pValue, standardDeviation: null };
  }
  const interval = studentInterval({ ...basis, estimate: mean, standardError, degreesOfFreedom });
  return {
    estimate: toEstimate(interval),
    pValue: 2 * studentTCdf({ t: -Math.abs(mean / standardError), degreesOfFreedom }),
    standardDeviation: standardError * Math.sqrt(n),
  };
}

function uncertaintyOf({ moments, clusters }: Differences) {
  const { n, mean } = moments;
  if (clusters === undefined)
    return { standardError: Math.sqrt(varianceOf(moments) / n), degreesOfFreedom: n - 1 };
  const spread = createClusterSpread(n);
  for (const [place, size] of clusters.sizes.entries()) {
    if (size > 0) spread.addCluster(size, (clusters.sums[place] as number) - size * mean);
  }
  const { unbiasedVariance, degreesOfFreedom } = spread.summarize();
  return { standardError: Math.sqrt(unbiasedVariance), degreesOfFreedom };
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
  const { pValue, standardDeviation, ...tested } = testDifferences(differences);
  const estimate = withCautions(withinRange(tested.estimate, rangeOfDifference(unit)), {}, unit);
  const { n } = differences.moments;
  const meanOf = (sum: number) => (n === 0 ? null : sum / n);
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
    higher: isForward ? higher : lower,
    lower: isForward ? lower : higher,
    equal: differences.equal,
    pairs: differences.pairs,
    onlyA: a.only,
    onlyB: b.only,
    neither: differences.neither,
    finding: 'too-few',
    sensitivity: standardDeviation === null ? null : sensitivityOf(standardDeviation, n, unit === undefined),
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

function sensitivityOf(standardDeviation: number, n: number, isShare: boolean): Sensitivity {
  const { value: detectable } = minimumDetectableDifference({ standardDeviation, n, power, confidence });
  const missed = isShare ? askedFor.filter((difference) => difference < detectable).slice(0, 2) : [];
  const wanted = missed.length === 0 ? [detectable / 2] : missed;
  const plans = wanted.map((difference) => ({
    difference,
    questions: pairedSampleSize({ difference, standardDeviation, power, confidence }).n,
  }));
  return { detectable, power, confidence, plans };
}
