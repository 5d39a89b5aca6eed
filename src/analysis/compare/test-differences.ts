import type { Estimate } from '../../schema/estimate.ts';
import { createClusterSpread } from '../../stats/means/cluster-spread.ts';
import { mcnemar } from '../../stats/paired/mcnemar.ts';
import { tangoInterval } from '../../stats/paired/tango-interval.ts';
import { studentInterval } from '../../stats/student-interval.ts';
import { studentTCdf } from '../../stats/student-t.ts';
import { varianceOf } from '../../stats/moments.ts';
import { confidence, toEstimate } from '../summary/to-estimate.ts';
import type { Differences } from './difference-tally.ts';

/** Below this many pairs no test that takes nothing for granted can tell a difference from chance. */
export const leastPairs = 5;

/** The mean difference, and how surprising it would be if there were none. */
export interface TestedDifference {
  readonly estimate: Estimate;
  /** Two-sided; null with too few pairs. */
  readonly pValue: number | null;
  /** Of one difference, such that its square over n is the variance of the mean; null without spread. */
  readonly standardDeviation: number | null;
}

/** Against the largest difference: a standard error below it is rounding noise. */
const noise = 1e-14;

/**
 * Tests a mean difference. Single truths, 0 or 1, have McNemar's mid-p and Tango's interval; scores, and means of several
 * attempts, the paired t test, cluster-robust (CR2, see `clusterInterval`) with clusters. Differences that are all the same have no spread: then the exact
 * sign-flip test speaks, p = 2 / 2^units.
 */
export function testDifferences(differences: Differences): TestedDifference {
  const { moments, counts, clusters } = differences;
  const { n } = moments;
  const tested =
    clusters === undefined && counts !== undefined ? testCounts(differences) : testMean(differences);
  const estimate = { ...tested.estimate, ...(clusters && n > 0 && countClusters(clusters.sizes)) };
  return { ...tested, estimate, ...(n < leastPairs && { pValue: null }) };
}

/** How many clusters there are, and how many of one size would say as much; see `Estimate`. */
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
