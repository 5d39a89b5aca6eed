import { checkDomain } from '../check-domain.ts';
import { differenceVariance } from './difference-variance.ts';
import type { DifferenceVariance } from './difference-variance.ts';
import { planQuantiles, toSampleSize } from './plan-level.ts';
import type { PlanLevel, SampleSize } from './plan-level.ts';

/**
 * Questions it takes to show that a candidate is not worse than a baseline by more than a margin, with a one-sided
 * paired test at the confidence.
 *
 * Method: S.-C. Chow, J. Shao & H. Wang, Sample Size Calculations in Clinical Research, section 3.2:
 * n = (z_α + z_β)² s_d² / (margin + true difference)², times the design effect.
 *
 * @throws RangeError when margin + difference is not above 0, a variance or a number of repeats makes no sense, the
 * design effect is not positive, or confidence or power is not strictly between 0 and 1.
 */
export function nonInferioritySampleSize(
  options: DifferenceVariance &
    PlanLevel & {
      /** The difference that would not matter, at least 0. */
      readonly margin: number;
      /** True mean of candidate minus baseline; 0 when not given. */
      readonly difference?: number;
      /** How many times more questions clustering takes, 1 + (size − 1) · ICC; 1 when not given. */
      readonly designEffect?: number;
    },
): SampleSize {
  const { margin, difference = 0, designEffect = 1 } = options;
  checkDomain(margin >= 0 && margin < Infinity, 'margin', margin, 'finite and at least 0');
  const room = margin + difference;
  checkDomain(room > 0 && room < Infinity, 'margin + difference', room, 'finite and above 0');
  checkDomain(
    designEffect > 0 && designEffect < Infinity,
    'designEffect',
    designEffect,
    'positive and finite',
  );
  const quantiles = planQuantiles(options, 1);
  const reach = (quantiles.zTest + quantiles.zPower) / room;
  return toSampleSize(reach ** 2 * differenceVariance(options) * designEffect, quantiles);
}
