import { checkDomain } from '../check-domain.ts';
import { differenceVariance } from './difference-variance.ts';
import type { DifferenceVariance } from './difference-variance.ts';
import { planQuantiles, toSampleSize } from './plan-level.ts';
import type { PlanLevel, SampleSize } from './plan-level.ts';

/**
 * Questions it takes to find a mean difference between two bots with a two-sided paired test. The test is taken to
 * be normal: below about 30 questions add two.
 *
 * Method: E. Miller, "Adding error bars to evals", arXiv 2411.00640 (2024), eq. 9:
 * n = (z_{α/2} + z_β)² (ω² + σ_A²/K_A + σ_B²/K_B) / δ².
 *
 * @throws RangeError when the difference is 0 or not finite, a variance or a number of repeats makes no sense, or
 * confidence or power is not strictly between 0 and 1.
 */
export function pairedSampleSize(
  options: DifferenceVariance &
    PlanLevel & {
      /** The mean difference to be found, in the unit of the scores. */
      readonly difference: number;
    },
): SampleSize {
  const { difference } = options;
  checkDomain(difference !== 0 && Number.isFinite(difference), 'difference', difference, 'finite and not 0');
  const quantiles = planQuantiles(options, 2);
  const reach = quantiles.zTest + quantiles.zPower;
  return toSampleSize((reach / difference) ** 2 * differenceVariance(options), quantiles);
}

/** A mean difference that a number of questions can find. */
export type DetectableDifference = Required<PlanLevel> & {
  readonly status: 'defined';
  /** In the unit of the scores; above 0. */
  readonly value: number;
  readonly n: number;
};

/**
 * The smallest mean difference between two bots that a two-sided paired test over `n` questions finds with the given
 * power: to be told beside every "no difference".
 *
 * Method: {@link pairedSampleSize} solved for the difference (Miller 2024, eq. 10).
 *
 * @throws RangeError when `n` is not positive and finite, a variance or a number of repeats makes no sense, or
 * confidence or power is not strictly between 0 and 1.
 */
export function minimumDetectableDifference(
  options: DifferenceVariance & PlanLevel & { readonly n: number },
): DetectableDifference {
  const { n } = options;
  checkDomain(n > 0 && n < Infinity, 'n', n, 'positive and finite');
  const { zTest, zPower, power, confidence } = planQuantiles(options, 2);
  const value = (zTest + zPower) * Math.sqrt(differenceVariance(options) / n);
  return { status: 'defined', value, n, power, confidence };
}
