import { clusterInterval } from '../../stats/cluster-interval.ts';
import { meanInterval } from '../../stats/mean-interval.ts';
import { createClusteredMoments } from '../../stats/means/clustered-moments.ts';
import { shareOfClusters } from '../../stats/means/mean-of-clusters.ts';
import { clopperPearsonLowerBound, wilsonLowerBound } from '../../stats/proportion-interval.ts';
import { createClusterNumbers } from '../cluster-numbers.ts';

/** The values of cases, and the clusters that some of them share. */
export interface CaseValues {
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
export interface BoundOptions {
  readonly confidence: number;
  /** Of the values; undefined for shares in [0, 1]. */
  readonly unit: string | undefined;
  /** Whether the values are shares of attempts of which something is true, and not scores. */
  readonly isTruth?: boolean;
  /** For independent values that are all 0 or 1; exact unless another is named. */
  readonly method?: 'clopper-pearson' | 'wilson' | undefined;
}

/**
 * Independent shares that are all 0 or 1 have the bounds of a proportion; shares of attempts, or in clusters, those of as many
 * independent trials as would say as much. Scores and quantities have Student's t, cluster-robust where
 * cases share clusters. Shares that are all equal show no spread: what n of them show is that less than a share
 * 1 − (1 − confidence)^(1/n) of all cases can be lower (Clopper-Pearson), at worst 0.
 */
export function boundsOfMean(given: CaseValues, options: BoundOptions): Bounds {
  const { confidence, unit, method, isTruth = false } = options;
  const { values, clusters } = given;
  const isShare = unit === undefined;
  if (isShare && clusters === undefined && values.every((value) => value === 0 || value === 1)) {
    const passes = values.filter((value) => value === 1).length;
    return boundsOfPasses({ passes, trials: values.length }, confidence, method ?? 'clopper-pearson');
  }
  const [first = 0] = values;
  if (values.length > 0 && values.every((value) => Math.abs(value - first) <= equal)) {
    if (!isShare) return { reason: 'the values do not vary, so their spread is unknown' };
    return boundsOfEqual(first, { low: 0, high: 1 }, { units: unitsOf(values, clusters), confidence });
  }
  return isTruth ? boundsOfShare(given, confidence) : boundsByT(given, confidence, isShare);
}

/**
 * Of shares near 1 the t bound is no bound: where 95 % of attempts pass, three of each of 50 cases, one at 95 % confidence
 * shows more than is true in 13 to 14 of 100 runs, this one in 6 to 8; see `shareOfClusters`.
 */
function boundsOfShare({ values, clusters }: CaseValues, confidence: number): Bounds {
  const numbers = createClusterNumbers();
  const moments = createClusteredMoments();
  for (const [place, value] of values.entries()) moments.add(value, numbers.of(clusters?.[place]));
  const interval = shareOfClusters(moments.current(), 2 * confidence - 1);
  if (interval.status === 'undefined') return { reason: interval.reason };
  const { lower, upper } = interval;
  const counted = interval.clusters === undefined ? '' : `, ${interval.clusters} clusters`;
  return { lower, upper, method: `effective Wilson${counted}` };
}

function boundsByT({ values, clusters }: CaseValues, confidence: number, isShare: boolean): Bounds {
  const twoSided = 2 * confidence - 1;
  const interval =
    clusters === undefined
      ? meanInterval({ values, confidence: twoSided })
      : clusterInterval({ values, clusters, confidence: twoSided });
  if (interval.status === 'undefined') return { reason: interval.reason };
  const method = clusters === undefined ? 't' : `cluster-robust t, ${interval.clusters} clusters`;
  if (!isShare) return { lower: interval.lower, upper: interval.upper, method };
  return { lower: Math.max(0, interval.lower), upper: Math.min(1, interval.upper), method };
}

/** The bounds of the mean of bounded values of which all that were seen are equal. */
export function boundsOfEqual(
  value: number,
  range: { readonly low: number; readonly high: number },
  { units, confidence }: { readonly units: number; readonly confidence: number },
): Bounds {
  const { lower: share } = clopperPearsonLowerBound({ successes: units, trials: units, confidence });
  if (share === null) return { reason: 'there are no values' };
  return {
    lower: share * value + (1 - share) * range.low,
    upper: share * value + (1 - share) * range.high,
    method: 'Clopper-Pearson, as all are equal',
  };
}

/** Independent passes and failures: the exact bounds, or Wilson's. */
function boundsOfPasses(
  { passes, trials }: { readonly passes: number; readonly trials: number },
  confidence: number,
  method: 'clopper-pearson' | 'wilson',
): Bounds {
  const bound = method === 'wilson' ? wilsonLowerBound : clopperPearsonLowerBound;
  const below = bound({ successes: passes, trials, confidence });
  const above = bound({ successes: trials - passes, trials, confidence });
  if (below.lower === null || above.lower === null) return { reason: 'there are no trials' };
  const name = method === 'wilson' ? 'Wilson' : 'Clopper-Pearson';
  return { lower: below.lower, upper: 1 - above.lower, method: name };
}

/** How many independent pieces of evidence there are. */
export function unitsOf(values: readonly unknown[], clusters: readonly string[] | undefined): number {
  return clusters === undefined ? values.length : new Set(clusters).size;
}
