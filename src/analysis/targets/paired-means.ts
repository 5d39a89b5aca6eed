import type { Estimate } from '../../schema/estimate.ts';
import type { TargetComparison } from '../../schema/target-comparison.ts';
import {
  type ClusteredMoments,
  type ClusteredMomentsAccumulator,
  createClusteredMoments,
} from '../../stats/means/clustered-moments.ts';
import { meanOfClusters } from '../../stats/means/mean-of-clusters.ts';
import { studentTCdf } from '../../stats/student-t.ts';
import { estimateDifference, estimateMean } from '../summary/to-estimate.ts';
import type { Truths } from '../summary/truth-count.ts';

/** Differences all alike show no spread: from this many cases on, an exact sign test has them under 5 % by chance. */
const leastAlike = 6;
/** A narrower interval is rounding noise. */
const alike = 1e-12;

/** What is known of one pair of targets: the differences, first minus second, of the cases that both measured. */
interface Pair {
  readonly first: number;
  readonly second: number;
  readonly differences: ClusteredMomentsAccumulator;
}

/** What is known of the values beside themselves. */
interface MeasuredKind {
  /** undefined for values in [0, 1], where what a missing one could have been is bounded. */
  readonly unit: string | undefined;
  /** Of each target, where all that it measured is 0 or 1. */
  readonly truths: readonly (Truths | undefined)[];
}

/**
 * Means of several targets over the same cases, and the means of their differences case by case, with Student's t
 * intervals (paired t: the interval of the mean of the differences), cluster-robust where cases share clusters.
 */
export function createPairedMeans(targets: readonly string[]) {
  const means = targets.map(() => createClusteredMoments());
  const pairs = pairsOf(targets.length);

  return {
    /** Adds a case: the value of every target, undefined where it has none; and the number of the case's cluster. */
    add: (values: readonly (number | undefined)[], cluster?: number): void => {
      for (const [place, value] of values.entries())
        if (value !== undefined) means[place]?.add(value, cluster);
      for (const { first, second, differences } of pairs) {
        const [a, b] = [values[first], values[second]];
        if (a !== undefined && b !== undefined) differences.add(a - b, cluster);
      }
    },

    summarize: (
      better: TargetComparison['better'],
      { unit, truths }: MeasuredKind,
    ): Pick<TargetComparison, 'means' | 'leader' | 'differences' | 'pValue' | 'best'> => {
      const estimates = means.map((mean, place) =>
        estimateMean(mean.current(), { unit, truths: truths[place] }),
      );
      const leader = leaderOf(estimates, better);
      const others = targets.flatMap((target, place) =>
        place === leader || estimates[place]?.value === null
          ? []
          : [{ target, place, ...differenceOf(pairs, [leader, place], unit) }],
      );
      const isBest = others.every(({ place, difference }) => {
        const sign = better === 'lower' ? -1 : 1;
        const lower = clearance(difference, sign);
        if (unit !== undefined) return lower > 0;
        // What only one of the two measured is taken to have gone against the leader in full.
        const onlyOne = (estimates[leader]?.n ?? 0) + (estimates[place]?.n ?? 0) - 2 * difference.n;
        return lower * difference.n - onlyOne > 0;
      });
      const name = targets[leader] ?? null;
      return {
        means: estimates.map((estimate, place) => ({ target: targets[place] as string, ...estimate })),
        leader: name,
        differences: name === null ? [] : others.map(({ target, difference }) => ({ target, ...difference })),
        pValue: largestOf(others.map(({ pValue }) => pValue)),
        best: others.length > 0 && isBest ? name : null,
      };
    },
  };
}

function pairsOf(targets: number): Pair[] {
  const places = Array.from({ length: targets }, (_, place) => place);
  return places.flatMap((first) =>
    places.slice(first + 1).map((second) => ({ first, second, differences: createClusteredMoments() })),
  );
}

/** Where the best mean stands, the first of equals; −1 when there is none. */
function leaderOf(estimates: readonly Estimate[], better: TargetComparison['better']): number {
  if (better === null) return -1;
  const sign = better === 'lower' ? -1 : 1;
  let leader = -1;
  let best = Number.NEGATIVE_INFINITY;
  for (const [place, { value }] of estimates.entries()) {
    if (value === null || sign * value <= best) continue;
    leader = place;
    best = sign * value;
  }
  return leader;
}

function differenceOf(
  pairs: readonly Pair[],
  [leader, other]: readonly [number, number],
  unit: string | undefined,
): { readonly difference: Estimate; readonly pValue: number | null } {
  const pair = pairs.find(
    ({ first, second }) => first === Math.min(leader, other) && second === Math.max(leader, other),
  );
  const moments = (pair?.differences ?? createClusteredMoments()).current();
  const pValue = pValueOf(moments);
  const { value, lower, upper, ...rest } = estimateDifference(moments, unit);
  if (leader < other) return { pValue, difference: { value, lower, upper, ...rest } };
  return {
    pValue,
    difference: { value: negated(value), lower: negated(upper), upper: negated(lower), ...rest },
  };
}

/** Two-sided, of no difference: Student's t, or the exact sign-flip test where all differences are alike; null of too few. */
function pValueOf(moments: ClusteredMoments): number | null {
  const { status, estimate, lower, upper, standardError, degreesOfFreedom } = meanOfClusters(moments);
  if (status !== 'defined') return null;
  const units = moments.spread?.clusters ?? moments.n;
  if (upper - lower >= alike)
    return 2 * studentTCdf({ t: -Math.abs(estimate / standardError), degreesOfFreedom });
  if (estimate === 0) return 1;
  return units < leastAlike ? null : 2 ** (1 - units);
}

function largestOf(pValues: readonly (number | null)[]): number | null {
  const known = pValues.filter((pValue) => pValue !== null);
  return known.length === 0 || known.length < pValues.length ? null : Math.max(...known);
}

/** 0 − x, so that no difference is told as −0. */
function negated(value: number | null): number | null {
  return value === null ? null : 0 - value;
}

/** How far the interval of a difference lies on the better side of 0; not above 0 when it holds 0. */
function clearance({ value, lower, upper, n }: Estimate, sign: number): number {
  if (lower !== null && upper !== null) return sign === 1 ? lower : -upper;
  return value === null || n < leastAlike ? 0 : sign * value;
}
