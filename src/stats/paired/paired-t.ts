import { momentsOf, varianceOf } from '../moments.ts';
import { studentTCdf } from '../student-t.ts';
import type { StudentInterval } from '../student-interval.ts';
import { differenceInterval } from './difference-interval.ts';
import type { ClusteredPairs } from './difference-interval.ts';
import { differencesOf } from './differences.ts';
import type { PairedValues } from './differences.ts';

/** Mean difference with its interval, and how surprising it would be if there were none. */
export type PairedT = StudentInterval & {
  /** t: the mean difference in standard errors. */
  readonly statistic: number | null;
  /** Two-sided. */
  readonly pValue: number | null;
  /** Pearson correlation of A and B over questions; null when not both lists were given or one does not vary. */
  readonly correlation: number | null;
};

/**
 * Paired t test of two bots on the same questions, with the t interval of their mean difference; cluster-robust
 * where clusters are given. Differences that do not vary leave everything but the estimate undefined.
 *
 * Method: Student, "The probable error of a mean", Biometrika 6 (1908), on the differences; with clusters
 * {@link clusterInterval}.
 *
 * @throws RangeError when lists differ in length, a value is not finite, or the confidence is not strictly between
 * 0 and 1.
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

/** From Var(A − B) = Var(A) + Var(B) − 2 r √(Var(A) Var(B)). */
function correlationOf(pairs: PairedValues): number | null {
  if ('differences' in pairs) return null;
  const [a, b, d] = [pairs.a, pairs.b, differencesOf(pairs)].map((values) =>
    varianceOf(momentsOf(values)),
  ) as [number, number, number];
  const scale = 2 * Math.sqrt(a * b);
  return scale > 0 ? Math.max(-1, Math.min(1, (a + b - d) / scale)) : null;
}
