import { checkDomain } from '../check-domain.ts';
import { clipLimits, type Range, undefinedNormalInterval } from '../normal-interval.ts';
import { studentTQuantile } from '../student-t.ts';
import { type PpiMean, ppiMeanWithin } from './ppi-mean.ts';
import type { PpiValues } from './ppi-variance.ts';

/** Paired differences of two runs, A minus B: the mean that people would give to A, minus that to B. */
export type PpiDifferenceOptions = {
  readonly a: Omit<PpiValues, 'clusters'>;
  /** The values of the second run: the same cases at the same positions, labelled in both. */
  readonly b: Omit<PpiValues, 'clusters'>;
  readonly clusters?: PpiValues['clusters'];
  readonly lambda?: number;
  /** Confidence level, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
};

/**
 * Estimates the difference that people would see between two runs of the same cases, from labels of both answers to the
 * same randomly drawn cases. A judge that likes the style of one run does not decide it.
 *
 * Method: {@link ppiMean} of the differences, with limits of t with k − 2 degrees of freedom and the variance times k / (k − 2),
 * where k is the number of labelled pairs, or of clusters that have any: the labels give a mean and the tuned λ. Normal limits
 * leave out the truth in up to 8 of 100 comparisons by 30 pairs, see `bench/corrected-comparisons.ts`.
 *
 * @throws RangeError as {@link ppiMean}, and when the lists of the two runs differ in length.
 */
export function ppiDifference({ a, b, clusters, lambda, confidence }: PpiDifferenceOptions): PpiMean {
  const minus = (name: 'labels' | 'scores' | 'otherScores') => {
    checkDomain(
      b[name].length === a[name].length,
      `b.${name}.length`,
      b[name].length,
      `${a[name].length}, as of a`,
    );
    return a[name].map((value, place) => value - (b[name][place] as number));
  };
  const values = { labels: minus('labels'), scores: minus('scores'), otherScores: minus('otherScores') };
  const isShare = [a, b].every((run) =>
    [run.labels, run.scores, run.otherScores].flat().every((value) => value >= 0 && value <= 1),
  );
  const options = {
    ...values,
    limits: 'normal' as const,
    ...(clusters === undefined ? {} : { clusters }),
    ...(lambda === undefined ? {} : { lambda }),
    ...(confidence === undefined ? {} : { confidence }),
  };
  const range = isShare ? { least: -1, greatest: 1 } : undefined;
  const independent = clusters === undefined ? a.labels.length : new Set(clusters.labelled).size;
  return widen(ppiMeanWithin(options, range), independent, range);
}

/** Returns an interval with the limits of t by the number of independent labels. */
function widen(found: PpiMean, independent: number, range: Range | undefined): PpiMean {
  if (found.status === 'undefined') return found;
  const { estimate, standardError, confidence, labels, lambda } = found;
  const method = found.clusters === undefined ? 'ppi-t' : found.method;
  const degreesOfFreedom = independent - 2;
  if (degreesOfFreedom < 1) {
    const reason = 'labels of one or two independent pairs show no spread';
    const none = undefinedNormalInterval({ ...found, method, reason });
    return { ...none, labels, lambda, caution: 'too-few-labels' };
  }
  const t = -studentTQuantile({ p: (1 - confidence) / 2, degreesOfFreedom });
  const margin = t * standardError * Math.sqrt(independent / degreesOfFreedom);
  return { ...found, method, ...clipLimits(estimate - margin, estimate + margin, range) };
}
