import { createMoments } from '../../stats/moments.ts';
import type { Moments } from '../../stats/moments.ts';
import type { PairedCounts } from '../../stats/paired/paired-counts.ts';

/** What is known of the differences of paired values, newer minus older. */
export interface Differences {
  readonly pairs: number;
  readonly onlyOlder: number;
  readonly onlyNewer: number;
  readonly neither: number;
  readonly sumOlder: number;
  readonly sumNewer: number;
  readonly moments: Moments;
  /** The greatest distance from 0. */
  readonly largest: number;
  /** Pairs on which the newer run is higher, lower, or equal. */
  readonly higher: number;
  readonly lower: number;
  readonly equal: number;
  /** Where all values are single truths, 0 or 1: how often newer (A) and older (B) have it; otherwise missing. */
  readonly counts: PairedCounts | undefined;
  /** Sum and number of differences by cluster; missing without clusters. */
  readonly clusters: { readonly sums: Float64Array; readonly sizes: Uint32Array } | undefined;
}

/** Relative to the values: two means closer than this differ by rounding alone. */
const rounding = 1e-12;

/**
 * Collects paired values one pair at a time, NaN for one that is missing, in constant memory beside 12 bytes a cluster.
 * @param clusterCount - Missing when pairs do not depend on each other.
 * @param isRepeated - Whether values are means of several attempts: then they are no truths, even where all of them agree.
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
    const raw = newer - older;
    const difference = Math.abs(raw) <= rounding * (Math.abs(newer) + Math.abs(older)) ? 0 : raw;
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
