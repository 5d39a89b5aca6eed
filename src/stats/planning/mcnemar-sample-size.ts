import { checkDomain } from '../check-domain.ts';
import { planQuantiles, toSampleSize } from './plan-level.ts';
import type { PlanLevel, SampleSize } from './plan-level.ts';

/** Shares of questions that two bots are expected to disagree on, or their difference and their sum. */
export type ExpectedDiscordance =
  | {
      /** Share passed by A only. */
      readonly aOnly: number;
      /** Share passed by B only. */
      readonly bOnly: number;
    }
  | {
      /** Difference of the pass rates to be found. */
      readonly difference: number;
      /** Share of questions on which the bots disagree either way. */
      readonly discordant: number;
    };

/**
 * Questions it takes to find a difference in pass rate between two bots with a two-sided McNemar test.
 *
 * Method: R. J. Connor, "Sample size for testing differences in proportions for the paired-sample design",
 * Biometrics 43 (1987): n = (z_{α/2} √ψ + z_β √(ψ − δ²))² / δ².
 *
 * @throws RangeError when the shares are not in [0, 1] or equal, when the difference exceeds the share of discordant
 * questions, or when confidence or power is not strictly between 0 and 1.
 */
export function mcnemarSampleSize(options: ExpectedDiscordance & PlanLevel): SampleSize {
  const { difference, discordant } = toDifference(options);
  checkDomain(
    discordant > 0 && discordant <= 1,
    'the share of discordant questions',
    discordant,
    'above 0 and at most 1',
  );
  const isInside = difference !== 0 && Math.abs(difference) <= discordant;
  checkDomain(isInside, 'difference', difference, `not 0 and within ± ${discordant}`);
  const quantiles = planQuantiles(options, 2);
  const spread = Math.sqrt(discordant - difference ** 2);
  const reach = quantiles.zTest * Math.sqrt(discordant) + quantiles.zPower * spread;
  return toSampleSize((reach / difference) ** 2, quantiles);
}

function toDifference(expected: ExpectedDiscordance): { difference: number; discordant: number } {
  if ('discordant' in expected) return expected;
  const { aOnly, bOnly } = expected;
  for (const [name, share] of Object.entries({ aOnly, bOnly })) {
    checkDomain(share >= 0 && share <= 1, name, share, 'from 0 to 1');
  }
  return { difference: aOnly - bOnly, discordant: aOnly + bOnly };
}
