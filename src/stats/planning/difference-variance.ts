import { checkDomain } from '../check-domain.ts';

/**
 * How much paired differences vary from question to question: their standard deviation as it is seen, or its parts,
 * so that the number of repeats can be planned.
 */
export type DifferenceVariance =
  | { readonly standardDeviation: number }
  | {
      /** Variance of the true differences of questions (ω²). */
      readonly betweenVariance: number;
      /** Variance of the repeats of A on one question, and of B; 0 when not given. */
      readonly withinVarianceA?: number;
      readonly withinVarianceB?: number;
      /** Repeats of every question by A, and by B; 1 when not given. */
      readonly repeatsA?: number;
      readonly repeatsB?: number;
    };

/**
 * Variance of the differences of question means.
 *
 * Method: E. Miller, "Adding error bars to evals", arXiv 2411.00640 (2024), eq. 9: ω² + σ_A²/K_A + σ_B²/K_B.
 *
 * @throws RangeError when a part is negative or not finite, a number of repeats is not positive, or all parts are 0.
 */
export function differenceVariance(parts: DifferenceVariance): number {
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
