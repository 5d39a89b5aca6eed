import { checkDomain } from './check-domain.ts';

/** Half the logarithm of 2π. */
const HALF_LOG_2_PI = 0.9189385332046728;

/** 1 minus Euler's constant, then (−1)^k (ζ(k) − 1) / k for k = 2, 3, …: ln Γ(2 + e) in powers of e. */
const TAYLOR_AT_TWO = [
  0.42278433509846713, 0.3224670334241132, -0.0673523010531981, 0.020580808427784546, -0.007385551028673986,
  0.0028905103307415234, -0.001192753911703261, 0.0005096695247430425, -0.00022315475845357939,
  0.00009945751278180853, -0.00004492623673813314, 0.00002050721277567069, -0.000009439488275268397,
  0.000004374866789907488, -0.000002039215753801366, 9.55141213040742e-7, -4.492469198764566e-7,
  2.1207184805554665e-7, -1.0043224823968099e-7, 4.7698101693639804e-8, -2.2711094608943164e-8,
  1.0838659214896955e-8, -5.183475041970047e-9, 2.4836745438024785e-9, -1.1921401405860912e-9,
  5.731367241678862e-10,
];

/** B(2k) / (2k (2k − 1)) for k = 1, 2, …, with B the Bernoulli numbers. */
const STIRLING_SERIES = [
  1 / 12,
  -1 / 360,
  1 / 1260,
  -1 / 1680,
  1 / 1188,
  -691 / 360360,
  1 / 156,
  -3617 / 122400,
];

/** The argument from which the Stirling series reaches full precision. */
const STIRLING_FROM = 10;

/**
 * Returns the natural logarithm of the gamma function, for x > 0; relative error near 1e-15, also next to its zeros at 1
 * and 2.
 *
 * Method: Taylor series about 2 (Abramowitz & Stegun 6.1.33) reached by the recurrence Γ(x + 1) = x Γ(x), and from 10
 * on the Stirling series (6.1.41).
 *
 * @throws RangeError unless `x` is positive and finite.
 */
export function logGamma(x: number): number {
  checkDomain(x > 0 && x < Infinity, 'x', x, 'positive and finite');
  if (x >= STIRLING_FROM) {
    return (x - 0.5) * Math.log(x) - x + HALF_LOG_2_PI + stirlingSum(x);
  }
  if (x < 0.5) {
    return logGammaFromTwo(x) - Math.log(x) - Math.log1p(x);
  }
  if (x < 1.5) {
    return logGammaFromTwo(x - 1) - Math.log1p(x - 1);
  }
  let reduced = x;
  let product = 1;
  while (reduced > 2.5) {
    reduced -= 1;
    product *= reduced;
  }
  return logGammaFromTwo(reduced - 2) + Math.log(product);
}

/**
 * Returns the error of Stirling's formula: ln Γ(x) − [(x − ½) ln x − x + ½ ln 2π], for x > 0. Ratios of gamma functions
 * of large numbers stay accurate when written with it.
 */
export function stirlingError(x: number): number {
  if (x >= STIRLING_FROM) {
    return stirlingSum(x);
  }
  return logGamma(x) - ((x - 0.5) * Math.log(x) - x + HALF_LOG_2_PI);
}

/** Returns ln Γ(2 + e) for |e| ≤ ½. */
function logGammaFromTwo(e: number): number {
  return e * horner(TAYLOR_AT_TWO, e);
}

function stirlingSum(x: number): number {
  return horner(STIRLING_SERIES, 1 / (x * x)) / x;
}

function horner(coefficients: readonly number[], x: number): number {
  return coefficients.reduceRight((value, coefficient) => value * x + coefficient, 0);
}
