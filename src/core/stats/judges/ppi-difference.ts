import { checkDomain } from '../check-domain.ts';
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
 * Method: {@link ppiMean} of the differences, with normal limits.
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
  return ppiMeanWithin(options, isShare ? { least: -1, greatest: 1 } : undefined);
}
