import { checkDomain } from '../check-domain.ts';
import { type PlanLevel, planQuantiles, type SampleSize, toSampleSize } from './plan-level.ts';

/**
 * Returns the number of questions needed to detect a mean difference between two bots with a two-sided paired test. The
 * formula assumes a normal test: below about 30 questions, add two.
 *
 * Method: E. Miller, "Adding error bars to evals", arXiv 2411.00640 (2024), eq. 9: n = (z_{α/2} + z_β)² (ω² + σ_A²/K_A
 * + σ_B²/K_B) / δ².
 *
 * @throws RangeError when the difference is 0 or not finite, a variance or a number of repeats makes no sense, or
 * confidence or power is not strictly between 0 and 1.
 */
export function pairedSampleSize(
  options: DifferenceVariance &
    PlanLevel & {
      /** The mean difference to be detected, in the unit of the scores. */
      readonly difference: number;
    },
): SampleSize {
  const { difference } = options;
  checkDomain(difference !== 0 && Number.isFinite(difference), 'difference', difference, 'finite and not 0');
  const quantiles = planQuantiles(options, 2);
  const reach = quantiles.zTest + quantiles.zPower;
  return toSampleSize((reach / difference) ** 2 * differenceVariance(options), quantiles);
}

/** A mean difference that a number of questions can detect. */
export type DetectableDifference = Required<PlanLevel> & {
  readonly status: 'defined';
  /** The difference in the unit of the scores; above 0. */
  readonly value: number;
  readonly n: number;
};

/**
 * Returns the smallest mean difference between two bots that a two-sided paired test over `n` questions detects with
 * the given power. Reports show it next to every "no difference".
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

/**
 * The variance of paired differences from question to question: their observed standard deviation, or its parts, so
 * that the number of repeats can be planned.
 */
export type DifferenceVariance =
  | { readonly standardDeviation: number }
  | {
      /** Variance of the true differences of questions (ω²). */
      readonly betweenVariance: number;
      /** Variance of the repeats of A on one question, and of B; 0 by default. */
      readonly withinVarianceA?: number;
      readonly withinVarianceB?: number;
      /** Repeats of every question by A, and by B; 1 by default. */
      readonly repeatsA?: number;
      readonly repeatsB?: number;
    };

/**
 * Returns the variance of the differences of question means.
 *
 * Method: E. Miller, "Adding error bars to evals", arXiv 2411.00640 (2024), eq. 9: ω² + σ_A²/K_A + σ_B²/K_B.
 *
 * @throws RangeError when a part is negative or not finite, a number of repeats is not positive, or all parts are 0.
 */
function differenceVariance(parts: DifferenceVariance): number {
  if ('standardDeviation' in parts) {
    const { standardDeviation } = parts;
    const isInside = standardDeviation > 0 && standardDeviation < Infinity;
    checkDomain(isInside, 'standardDeviation', standardDeviation, 'positive and finite');
    return standardDeviation ** 2;
  }
  const { betweenVariance, withinVarianceA = 0, withinVarianceB = 0, repeatsA = 1, repeatsB = 1 } = parts;
  for (const [name, part] of Object.entries({ betweenVariance, withinVarianceA, withinVarianceB })) {
    checkDomain(part >= 0 && part < Infinity, name, part, 'finite and at least 0');
  }
  for (const [name, repeats] of Object.entries({ repeatsA, repeatsB })) {
    checkDomain(repeats > 0, name, repeats, 'positive');
  }
  const variance = betweenVariance + withinVarianceA / repeatsA + withinVarianceB / repeatsB;
  checkDomain(variance > 0, 'the variance of the differences', variance, 'above 0');
  return variance;
}

/**
 * Returns the number of questions needed to show that a candidate is not worse than a baseline by more than a margin,
 * with a one-sided paired test at the confidence.
 *
 * Method: S.-C. Chow, J. Shao & H. Wang, Sample Size Calculations in Clinical Research, section 3.2: n = (z_α + z_β)²
 * s_d² / (margin + true difference)², times the design effect.
 *
 * @throws RangeError when margin + difference is not above 0, a variance or a number of repeats makes no sense, the
 * design effect is not positive, or confidence or power is not strictly between 0 and 1.
 */
export function nonInferioritySampleSize(
  options: DifferenceVariance &
    PlanLevel & {
      /** The margin: a difference that does not matter, at least 0. */
      readonly margin: number;
      /** True mean of candidate minus baseline; 0 by default. */
      readonly difference?: number;
      /** The factor by which clustering raises the number of questions, 1 + (size − 1) · ICC; 1 by default. */
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

/** Shares of questions that two bots are expected to disagree on, or their difference and their sum. */
export type ExpectedDiscordance =
  | {
      /** Share passed by A only. */
      readonly aOnly: number;
      /** Share passed by B only. */
      readonly bOnly: number;
    }
  | {
      /** Difference of the pass rates to be detected. */
      readonly difference: number;
      /** Share of questions on which the bots disagree in either direction. */
      readonly discordant: number;
    };

/**
 * Returns the number of questions needed to detect a difference in pass rate between two bots with a two-sided McNemar
 * test.
 *
 * Method: R. J. Connor, "Sample size for testing differences in proportions for the paired-sample design", Biometrics
 * 43 (1987): n = (z_{α/2} √ψ + z_β √(ψ − δ²))² / δ².
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

/**
 * Returns the number of trials without a failure that shows that less than a share of all fail: the least n with (1 −
 * share)^n ≤ 1 − confidence, such as 59 for 5 % at 95 %. The exact form of the "rule of three".
 *
 * @param options.share - Strictly between 0 and 1.
 */
export function trialsWithoutFailure({
  share,
  confidence,
}: {
  readonly share: number;
  readonly confidence: number;
}): number {
  return Math.ceil(Math.log(1 - confidence) / Math.log1p(-share));
}

/** A one-sided comparison of a mean with a threshold that its bound does not decide yet. */
export type OpenComparison = PlanLevel & {
  /** The number of cases behind the mean. */
  readonly n: number;
  readonly mean: number;
  /** The one-sided bound of the mean on the side of the threshold, at the confidence. */
  readonly bound: number;
  readonly threshold: number;
};

/**
 * Returns about how many cases decide a comparison of a mean with a threshold, with the given power, if the mean and the
 * spread stay as they are. Undefined when the mean is at the threshold, or nothing is known of the spread.
 *
 * Method: the distance of a bound from the mean is z_α s / √n, and a test with power needs (z_α + z_β) s / √n to be the
 * distance of the threshold: n' = n ((z_α + z_β) / z_α · (mean − bound) / (mean − threshold))².
 *
 * @throws RangeError when `n` is not positive and finite, or confidence or power is not strictly between 0 and 1.
 */
export function casesToDecide({
  n,
  mean,
  bound,
  threshold,
  ...level
}: OpenComparison): SampleSize | undefined {
  checkDomain(n > 0 && n < Infinity, 'n', n, 'positive and finite');
  const quantiles = planQuantiles(level, 1);
  const distance = (mean - bound) / (mean - threshold);
  if (!(distance > 0 && distance < Infinity)) return undefined;
  const reach = (quantiles.zTest + quantiles.zPower) / quantiles.zTest;
  return toSampleSize(n * (reach * distance) ** 2, quantiles);
}
