import { clusterInterval } from '../../stats/cluster-interval.ts';
import { meanInterval } from '../../stats/mean-interval.ts';
import { boundedMeanBounds } from '../../stats/means/bounded-mean.ts';
import { createClusteredMoments } from '../../stats/means/clustered-moments.ts';
import { shareOfClusters } from '../../stats/means/mean-of-clusters.ts';
import { wilsonLowerBound } from '../../stats/proportion-interval.ts';
import { createClusterNumbers } from '../../analysis/summary/cluster-numbers.ts';
import { rangeOf } from '../../analysis/summary/to-estimate.ts';
import { sayPlural } from './say-number.ts';

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
  /** Of shares of which something is true; exact unless another is named. */
  readonly method?: 'clopper-pearson' | 'wilson' | undefined;
}

/**
 * Shares have bounds that hold whatever their distribution is, see `boundedMeanBounds`: rare failures that were not seen make
 * Student's t wrong in up to two of three runs. Quantities with a unit have no greatest value, so theirs are Student's t,
 * cluster-robust where cases share clusters.
 */
export function boundsOfMean(given: CaseValues, options: BoundOptions): Bounds {
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
