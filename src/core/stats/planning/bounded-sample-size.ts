import { checkDomain } from '../check-domain.ts';
import { type PlanLevel, planQuantiles } from './plan-level.ts';

/** The observed differences of bounded values, and the margin that their bounds leave on each side of the mean. */
export type BoundedDifferences = PlanLevel & {
  readonly standardDeviation: number;
  /** The number of questions observed. */
  readonly n: number;
  /** Half of the width of the two-sided interval of their mean, see `boundedMeanInterval`. */
  readonly margin: number;
};

/** The differences that Gaffke's bounds detect, by the number of questions. */
export type BoundedPlan = {
  /** The smallest mean difference that is detected by as many questions as were observed. */
  readonly detectable: number;
  /** Returns the number of questions that detect a difference above 0. */
  questionsFor(difference: number): number;
};

/**
 * Plans by Gaffke's bounds what `pairedSampleSize` plans by a normal test. The bounds allow for one unseen value at the
 * end of the range, so their margin is the margin of a normal test, z s / √n, and a part that falls with 1 / n; that part is
 * taken from the margin observed.
 *
 * @throws RangeError when the deviation is negative, n is not positive, or confidence or power is not strictly between 0
 * and 1.
 */
export function detectableByBounds(observed: BoundedDifferences): BoundedPlan {
  const { standardDeviation, n, margin } = observed;
  checkDomain(n > 0 && n < Infinity, 'n', n, 'positive and finite');
  checkDomain(standardDeviation >= 0, 'standardDeviation', standardDeviation, 'at least 0');
  const { zTest, zPower } = planQuantiles(observed, 2);
  const ofSpread = (zTest + zPower) * standardDeviation;
  const ofUnseen = Math.max(0, n * margin - zTest * standardDeviation * Math.sqrt(n));
  return {
    detectable: ofSpread / Math.sqrt(n) + ofUnseen / n,
    questionsFor: (difference) => {
      checkDomain(difference > 0, 'difference', difference, 'above 0');
      const root = ofSpread + Math.sqrt(ofSpread ** 2 + 4 * ofUnseen * difference);
      return Math.ceil((root / (2 * difference)) ** 2);
    },
  };
}
