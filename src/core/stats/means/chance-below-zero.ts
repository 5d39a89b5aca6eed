import { findRoot } from '../find-root.ts';

/** A factor of independent exponential variables, and the number of variables with that factor. */
export type WeightedPart = { readonly weight: number; readonly count: number };

/** The step of the trapezoidal rule, whose error falls exponentially with 1 / step. */
const STEP = 1 / 20;
/** The share of the sum so far below which a term adds nothing. */
const NEGLIGIBLE = 1e-17;
const MAX_STEPS = 1000;

/**
 * Returns the chance that a weighted sum of independent standard exponential variables is at most 0.
 *
 * Method: the moment generating function Π (1 − w t)^−count, inverted along the line through its saddlepoint, on which
 * nothing oscillates (S. O. Rice, SIAM J. Sci. Stat. Comput. 1 (1980); H. E. Daniels, Int. Stat. Review 55 (1987)), by
 * the trapezoidal rule after y = sinh x. To about 12 digits, in 60 to 400 steps of a complex product for each weight;
 * chances below 1e-20 to about 2 digits.
 */
export function chanceBelowZero(weightedParts: readonly WeightedPart[]): number {
  const parts = weightedParts.filter(({ weight, count }) => weight !== 0 && count > 0);
  if (parts.every(({ weight }) => weight < 0)) return 1;
  if (parts.every(({ weight }) => weight > 0)) return 0;
  const mean = parts.reduce((sum, { weight, count }) => sum + weight * count, 0);
  const counts = Float64Array.from(parts, ({ count }) => count);
  if (mean >= 0) return tailBelow({ weights: Float64Array.from(parts, ({ weight }) => weight), counts });
  return 1 - tailBelow({ weights: Float64Array.from(parts, ({ weight }) => -weight), counts });
}

type Parts = { readonly weights: Float64Array; readonly counts: Float64Array };

/** Returns the chance when the mean is not below 0. */
function tailBelow({ weights, counts }: Parts): number {
  const saddle = findSaddle({ weights, counts });
  const slopes = weights.map((weight) => weight / (1 - weight * saddle));
  let [curvature, height] = [saddle ** -2, 0];
  for (let place = 0; place < slopes.length; place += 1) {
    const count = counts[place] as number;
    curvature += count * (slopes[place] as number) ** 2;
    height -= count * Math.log1p(-(weights[place] as number) * saddle);
  }
  const scale = 1 / Math.sqrt(curvature);
  let sum = 0.5 / saddle;
  for (let step = 1; step <= MAX_STEPS; step += 1) {
    const x = step * STEP;
    const { real, modulus } = integrand({ weights: slopes, counts }, saddle, scale * Math.sinh(x));
    sum += real * Math.cosh(x);
    if (modulus * Math.cosh(x) < NEGLIGIBLE * Math.abs(sum)) break;
  }
  return (-Math.exp(height) * scale * STEP * sum) / Math.PI;
}

/** Returns the point below 0 at which the moment generating function over t is least. */
function findSaddle({ weights, counts }: Parts): number {
  const end = 1 / weights.reduce((least, weight) => Math.min(least, weight), 0);
  return findRoot({
    low: end * (1 - 1e-15),
    high: end * 1e-15,
    of: (t) => {
      let slope = -1 / t;
      for (let place = 0; place < weights.length; place += 1) {
        const weight = weights[place] as number;
        slope += ((counts[place] as number) * weight) / (1 - weight * t);
      }
      return slope;
    },
  });
}

/**
 * The number of equal variables up to which factors are multiplied out: a complex product costs a tenth of a logarithm
 * and an arc tangent. Every factor is at least 1 in size, and the sum ends before their product is large.
 */
const FEW = 8;

/**
 * Returns the moment generating function over t, at t = saddle + y i, relative to its height at the saddlepoint: the
 * inverse of t Π (1 − slope y i)^count.
 */
function integrand(
  { weights: slopes, counts }: Parts,
  saddle: number,
  y: number,
): { real: number; modulus: number } {
  let [real, imaginary, size, angle] = [saddle, y, 0, 0];
  for (let place = 0; place < slopes.length; place += 1) {
    const slope = (slopes[place] as number) * y;
    const count = counts[place] as number;
    if (count > FEW) {
      size += (count / 2) * Math.log1p(slope * slope);
      angle -= count * Math.atan(slope);
      continue;
    }
    for (let time = 0; time < count; time += 1) {
      const next = real + imaginary * slope;
      imaginary -= real * slope;
      real = next;
    }
  }
  const modulus = Math.exp(-size) / Math.hypot(real, imaginary);
  return { real: modulus * Math.cos(angle + Math.atan2(imaginary, real)), modulus };
}
