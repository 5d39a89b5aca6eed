import { momentsOf, varianceOf } from '../../stats/moments.ts';
import { nonInferiority } from '../../stats/paired/non-inferiority.ts';
import { nonInferioritySampleSize } from '../../stats/planning/non-inferiority-sample-size.ts';
import { trialsWithoutFailure } from '../../stats/planning/trials-without-failure.ts';
import { type Bounds, boundsOfShares } from './bounds.ts';

/** The values of paired cases, such that higher is better. */
export interface PairedCases {
  readonly now: readonly number[];
  readonly before: readonly number[];
  /** At the same positions; undefined when the cases do not depend on each other. */
  readonly clusters: readonly string[] | undefined;
}

/** The loss that would not matter, and how sure it is to be. */
export interface MarginLevel {
  readonly margin: number;
  /** Of each one-sided bound. */
  readonly confidence: number;
}

/**
 * One-sided bounds of the mean difference, now minus before. Differences of shares lie in [−1, 1], see `boundsOfShares`; those of
 * quantities have Student's t, cluster-robust where cases share clusters.
 */
export function boundsOfDifference(
  { now, before, clusters }: PairedCases,
  { margin, confidence }: MarginLevel,
  isShare: boolean,
): Bounds {
  const differences = differencesOf(now, before);
  if (isShare) return boundsOfShares({ values: differences, clusters }, [-1, 1], confidence);
  const tested = nonInferiority({
    differences,
    ...(clusters !== undefined && { clusters }),
    margin,
    confidence,
  });
  return tested.status === 'defined' ? tested : { reason: tested.reason };
}

/**
 * How many cases it takes to show the margin with a chance of 80 %, if nothing changed and differences vary as they do
 * here; undefined when that cannot be said.
 */
export function casesToShow(
  { now, before, clusters }: PairedCases,
  { margin, confidence }: MarginLevel,
  isShare: boolean,
): number | undefined {
  const standardDeviation = Math.sqrt(varianceOf(momentsOf(differencesOf(now, before))));
  if (clusters !== undefined || margin === 0 || !(standardDeviation > 0)) return undefined;
  const planned = nonInferioritySampleSize({ standardDeviation, margin, confidence }).n;
  if (!isShare || margin >= 1) return planned;
  // The bound of shares reckons with one more case, which lost everything: a loss of about 1 / n.
  const withUnseen = ((Math.sqrt(planned) + Math.sqrt(planned + 4 / margin)) / 2) ** 2;
  return Math.max(Math.ceil(withUnseen), trialsWithoutFailure({ share: margin, confidence }));
}

function differencesOf(now: readonly number[], before: readonly number[]): number[] {
  return now.map((value, place) => value - (before[place] ?? Number.NaN));
}
