import { momentsOf, varianceOf } from '../../stats/moments.ts';
import { nonInferiority } from '../../stats/paired/non-inferiority.ts';
import { nonInferioritySampleSize } from '../../stats/planning/non-inferiority-sample-size.ts';
import { boundsOfEqual, type Bounds, unitsOf } from './bounds.ts';

/** The values of paired cases, such that higher is better. */
export interface PairedCases {
  readonly now: readonly number[];
  readonly before: readonly number[];
  /** At the same positions; undefined when the cases do not depend on each other. */
  readonly clusters: readonly string[] | undefined;
  /** Whether values are means of several attempts: then they are no truths, even where all are 0 or 1. */
  readonly isRepeated?: boolean;
}

/** The loss that would not matter, and how sure it is to be. */
export interface MarginLevel {
  readonly margin: number;
  /** Of each one-sided bound. */
  readonly confidence: number;
}

/**
 * One-sided bounds of the mean difference, now minus before: Tango's for pairs of single truths, 0 or 1, else Student's t,
 * cluster-robust where cases share clusters. Differences of shares that are all equal show no spread; see `boundsOfEqual`.
 */
export function boundsOfDifference(
  { now, before, clusters, isRepeated = false }: PairedCases,
  { margin, confidence }: MarginLevel,
  isShare: boolean,
): Bounds {
  const isCounted = isShare && !isRepeated && clusters === undefined && [...now, ...before].every(isTruth);
  const differences = differencesOf(now, before);
  // Every rule with a margin of 1 or more holds for shares; Tango's takes none.
  const tested =
    isCounted && margin < 1
      ? nonInferiority({ counts: countPairs(now, before), margin, confidence })
      : nonInferiority({ differences, ...(clusters !== undefined && { clusters }), margin, confidence });
  if (tested.status === 'defined') {
    const { lower, upper, method } = tested;
    return { lower, upper, method: method === 'tango' ? 'Tango' : method };
  }
  const [first = 0] = differences;
  const isEqual = differences.length > 0 && differences.every((each) => Math.abs(each - first) < 1e-12);
  if (!isShare || !isEqual) return { reason: tested.reason };
  const units = unitsOf(differences, clusters);
  return boundsOfEqual(first, { low: -1, high: 1 }, { units, confidence });
}

/**
 * How many cases it takes to show the margin with a chance of 80 %, if nothing changed and differences vary as they do
 * here; undefined when that cannot be said.
 */
export function casesToShow(
  { now, before, clusters }: PairedCases,
  { margin, confidence }: MarginLevel,
): number | undefined {
  const standardDeviation = Math.sqrt(varianceOf(momentsOf(differencesOf(now, before))));
  if (clusters !== undefined || margin === 0 || !(standardDeviation > 0)) return undefined;
  return nonInferioritySampleSize({ standardDeviation, margin, confidence }).n;
}

function differencesOf(now: readonly number[], before: readonly number[]): number[] {
  return now.map((value, place) => value - (before[place] ?? Number.NaN));
}

function isTruth(value: number): boolean {
  return value === 0 || value === 1;
}

function countPairs(now: readonly number[], before: readonly number[]) {
  const counts = { both: 0, aOnly: 0, bOnly: 0, neither: 0 };
  for (const [place, value] of now.entries()) {
    const other = before[place];
    counts[value === other ? (value === 1 ? 'both' : 'neither') : value === 1 ? 'aOnly' : 'bOnly'] += 1;
  }
  return counts;
}
