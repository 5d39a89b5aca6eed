import { checkDomain } from '../check-domain.ts';
import { clusterInterval } from '../cluster-interval.ts';
import { meanInterval } from '../mean-interval.ts';
import { momentsOf, varianceOf } from '../moments.ts';
import { type StudentInterval, studentTCdf, undefinedStudentInterval } from '../student-t.ts';

/**
 * Scores of bots A and B on the same questions: their differences (A minus B), or both lists with the same question at
 * the same position. With repeats, the scores are question means.
 */
export type PairedValues =
  | { readonly differences: readonly number[] }
  | { readonly a: readonly number[]; readonly b: readonly number[] };

/**
 * Returns the differences A minus B, question by question.
 *
 * @throws RangeError when the two lists differ in length.
 */
export function differencesOf(pairs: PairedValues): readonly number[] {
  if ('differences' in pairs) return pairs.differences;
  const { a, b } = pairs;
  checkDomain(a.length === b.length, 'b.length', b.length, `${a.length}, as of a`);
  return a.map((value, place) => value - (b[place] as number));
}

/** Paired scores, and the cluster of each at the same positions when questions depend on each other. */
export type ClusteredPairs = PairedValues & {
  readonly clusters?: readonly (string | number)[];
  /** The weight of each question, at the same positions; each counts once by default. */
  readonly weights?: readonly number[];
  /** Confidence level, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
};

/** The share of the largest difference below which a standard error is rounding noise. */
const NOISE = 1e-14;

/**
 * Returns the t interval of the mean difference, cluster-robust where clusters are given. Differences without any
 * spread leave it undefined: an interval of no width would claim a certainty that is not there.
 *
 * @throws RangeError when lists differ in length, a value is not finite, or the confidence is not strictly between 0
 * and 1.
 */
export function differenceInterval(pairs: ClusteredPairs): StudentInterval {
  const values = differencesOf(pairs);
  const { clusters, weights, ...rest } = pairs;
  const options = { values, confidence: rest.confidence };
  const interval =
    clusters === undefined && weights === undefined
      ? meanInterval(options)
      : clusterInterval({ ...options, weights, clusters: clusters ?? values.map((_, place) => place) });
  if (interval.status === 'undefined') return interval;
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (interval.standardError > NOISE * largest) return interval;
  const { estimate, n, confidence, method } = interval;
  const basis = {
    n,
    confidence,
    method,
    clusters: interval.clusters,
  };
  return undefinedStudentInterval({ ...basis, estimate, reason: 'the differences do not vary' });
}

/** The mean difference with its interval and p-value. */
export type PairedT = StudentInterval & {
  /** The t statistic: the mean difference in standard errors. */
  readonly statistic: number | null;
  /** The two-sided p-value. */
  readonly pValue: number | null;
  /** Pearson correlation of A and B over questions; null when not both lists were given or one does not vary. */
  readonly correlation: number | null;
};

/**
 * Returns the paired t test of two bots on the same questions, with the t interval of their mean difference;
 * cluster-robust where clusters are given. Differences that do not vary leave everything but the estimate undefined.
 *
 * Method: Student, "The probable error of a mean", Biometrika 6 (1908), on the differences; with clusters {@link
 * clusterInterval}.
 *
 * @throws RangeError when lists differ in length, a value is not finite, or the confidence is not strictly between 0
 * and 1.
 */
export function pairedT(options: ClusteredPairs): PairedT {
  const interval = differenceInterval(options);
  const correlation = correlationOf(options);
  if (interval.status === 'undefined') return { ...interval, statistic: null, pValue: null, correlation };
  const { estimate, standardError, degreesOfFreedom } = interval;
  const statistic = estimate / standardError;
  const pValue = 2 * studentTCdf({ t: -Math.abs(statistic), degreesOfFreedom });
  return { ...interval, statistic, pValue, correlation };
}

/** Returns the correlation, from Var(A − B) = Var(A) + Var(B) − 2 r √(Var(A) Var(B)). */
function correlationOf(pairs: PairedValues): number | null {
  if ('differences' in pairs) return null;
  const [a, b, d] = [pairs.a, pairs.b, differencesOf(pairs)].map((values) =>
    varianceOf(momentsOf(values)),
  ) as [number, number, number];
  const scale = 2 * Math.sqrt(a * b);
  return scale > 0 ? Math.max(-1, Math.min(1, (a + b - d) / scale)) : null;
}
