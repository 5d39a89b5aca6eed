import { checkDomain } from './check-domain.ts';
import { logGamma } from './gamma.ts';

const maxSteps = 10_000;
const precision = 1e-16;

/**
 * Returns the regularized upper incomplete gamma function Q(a, x): the probability that a Gamma(a, 1) variable exceeds
 * `x`. Relative error below 1e-11 for a up to 1,000.
 *
 * Method: power series of P for x < a + 1 (Abramowitz & Stegun 6.5.29), else the continued fraction of Q (6.5.31) by the
 * algorithm of Lentz.
 *
 * @throws RangeError unless `a` is positive and finite, and `x` is at least 0.
 */
export function regularizedGammaQ({ a, x }: { readonly a: number; readonly x: number }): number {
  checkDomain(a > 0 && a < Infinity, 'a', a, 'positive and finite');
  checkDomain(x >= 0, 'x', x, 'at least 0');
  if (x === 0) return 1;
  if (x === Infinity) return 0;
  const factor = Math.exp(a * Math.log(x) - x - logGamma(a));
  return x < a + 1 ? 1 - factor * lowerSeries(a, x) : factor * upperFraction(a, x);
}

/** Returns Σ xᵏ / (a (a + 1) … (a + k)). */
function lowerSeries(a: number, x: number): number {
  let term = 1 / a;
  let sum = term;
  for (let step = 1; step <= maxSteps && term > sum * precision; step += 1) {
    term *= x / (a + step);
    sum += term;
  }
  return sum;
}

/** Returns 1 / (x + 1 − a − 1 (1 − a) / (x + 3 − a − …)). */
function upperFraction(a: number, x: number): number {
  let next = x + 1 - a;
  let c = Number.POSITIVE_INFINITY;
  let d = 1 / next;
  let fraction = d;
  for (let step = 1; step <= maxSteps; step += 1) {
    const numerator = -step * (step - a);
    next += 2;
    d = 1 / (numerator * d + next);
    c = next + numerator / c;
    fraction *= d * c;
    if (Math.abs(d * c - 1) < precision * 10) break;
  }
  return fraction;
}

/**
 * Returns the probability that a chi-square variable exceeds a value.
 *
 * Method: {@link regularizedGammaQ} of half of both.
 *
 * @throws RangeError unless the value is at least 0 and the degrees of freedom are positive.
 */
export function chiSquareSurvival({
  value,
  degreesOfFreedom,
}: {
  readonly value: number;
  readonly degreesOfFreedom: number;
}): number {
  return regularizedGammaQ({ a: degreesOfFreedom / 2, x: value / 2 });
}

/** The counts of two samples, by class at the same positions. */
export type TwoSamples = { readonly a: readonly number[]; readonly b: readonly number[] };

/** A test of whether two samples have the same shares of classes. */
export type HomogeneityTest = {
  /** Pearson's statistic; null when there is nothing to compare. */
  readonly chiSquare: number | null;
  readonly degreesOfFreedom: number;
  readonly pValue: number | null;
  /** The largest absolute difference between the two shares of a class, and the position of the class. */
  readonly largestShift: { readonly position: number; readonly difference: number } | null;
};

/**
 * Tests whether two samples come from populations with the same shares of classes.
 *
 * Method: Pearson's chi-square test of a 2 × k table, without continuity correction; classes that neither sample has do not
 * count.
 *
 * @throws RangeError when the lists differ in length or a count is negative.
 */
export function homogeneityTest({ a, b }: TwoSamples): HomogeneityTest {
  checkDomain(b.length === a.length, 'b.length', b.length, `${a.length}, as of a`);
  for (const count of [...a, ...b]) checkDomain(count >= 0, 'a count', count, 'at least 0');
  const [sumA, sumB] = [a, b].map((counts) => counts.reduce((sum, count) => sum + count, 0)) as [
    number,
    number,
  ];
  const cells = a.flatMap((inA, position) => {
    const inB = b[position] as number;
    return inA + inB === 0 ? [] : [{ position, inA, inB }];
  });
  if (sumA === 0 || sumB === 0)
    return { chiSquare: null, degreesOfFreedom: 0, pValue: null, largestShift: null };
  const chiSquare = cells.reduce((sum, { inA, inB }) => {
    const share = (inA + inB) / (sumA + sumB);
    return sum + (inA - share * sumA) ** 2 / (share * sumA) + (inB - share * sumB) ** 2 / (share * sumB);
  }, 0);
  const degreesOfFreedom = cells.length - 1;
  const [largestShift = null] = cells
    .map(({ position, inA, inB }) => ({ position, difference: Math.abs(inA / sumA - inB / sumB) }))
    .toSorted((one, other) => other.difference - one.difference);
  const pValue = degreesOfFreedom === 0 ? null : chiSquareSurvival({ value: chiSquare, degreesOfFreedom });
  return { chiSquare, degreesOfFreedom, pValue, largestShift };
}
