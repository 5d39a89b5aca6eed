import { stirlingError } from './gamma.ts';

/** The two shapes of a beta distribution, both positive. */
export type BetaShape = { readonly a: number; readonly b: number };

/** A point of a beta distribution: x, and y = 1 − x given apart so that neither loses digits beside 1. */
export type BetaPoint = BetaShape & { readonly x: number; readonly y: number };

/** Probabilities below and above a point; the smaller one has full relative accuracy. */
export type Probabilities = { readonly lower: number; readonly upper: number };

const MAX_TERMS = 100_000;

/** Stands in for a denominator of exactly 0 in Lentz's method. */
const TINY = 1e-300;

/**
 * Probabilities that a Beta(a, b) variable falls below and above a point.
 *
 * Method: continued fraction of DiDonato & Morris, "Algorithm 708", ACM TOMS 18 (1992), eq. 9, on the side of
 * the mean where it converges fast.
 *
 * @throws RangeError when the fraction does not converge, which takes shapes beyond about 1e10.
 */
export function betaProbabilities(point: BetaPoint): Probabilities {
  const { x, y, a, b } = point;
  if (x === 0 || y === 0) {
    return { lower: x === 0 ? 0 : 1, upper: y === 0 ? 0 : 1 };
  }
  if (x > (a + 1) / (a + b + 2)) {
    const { lower, upper } = betaProbabilities({ x: y, y: x, a: b, b: a });
    return { lower: upper, upper: lower };
  }
  const lower = Math.min(1, betaPower(point) / betaFraction(point));
  return { lower, upper: 1 - lower };
}

/**
 * x^a y^b / B(a, b): the density of Beta(a, b) times x y.
 *
 * Method: C. Loader, "Fast and accurate computation of binomial probabilities" (2000): deviances instead of
 * powers, which keeps the digits for large shapes and far tails.
 */
export function betaPower({ x, y, a, b }: BetaPoint): number {
  const excess = b * x - a * y;
  const deviance =
    a * deviation(excess / a, ((a + b) * x) / a) + b * deviation(-excess / b, ((a + b) * y) / b);
  return Math.sqrt((a / (a + b)) * (b / (2 * Math.PI))) * Math.exp(-deviance - stirlingExcess({ a, b }));
}

/** Natural logarithm of the beta function B(a, b), without the cancellation of three large logarithms. */
export function logBeta({ a, b }: BetaShape): number {
  const sum = a + b;
  const powers = a * Math.log(a / sum) + b * Math.log1p(-a / sum);
  return powers + 0.5 * Math.log(((2 * Math.PI) / a) * (sum / b)) + stirlingExcess({ a, b });
}

function stirlingExcess({ a, b }: BetaShape): number {
  return stirlingError(a) + stirlingError(b) - stirlingError(a + b);
}

/** e − ln(1 + e) without cancellation; `ratio` is 1 + e with digits of its own. */
function deviation(e: number, ratio: number): number {
  if (Math.abs(e) > 0.3) {
    return e - Math.log(ratio);
  }
  const v = e / (2 + e);
  let power = 2 * v;
  let sum = e * v;
  for (let k = 3, previous = Number.NaN; sum !== previous; k += 2) {
    power *= v * v;
    previous = sum;
    sum -= power / k;
  }
  return sum;
}

/** Lentz's method in the modified form of Thompson & Barnett (1986). */
function betaFraction({ x, y, a, b }: BetaPoint): number {
  const start = a * y - b * x + 1;
  let c = (a * start) / (a + 1) || TINY;
  let d = 0;
  let value = c;
  for (let m = 1; m < MAX_TERMS; m += 1) {
    const odd = a + 2 * m - 1;
    const curve = (m * (b - m) * x) / odd;
    const numerator = (((a + m - 1) * (a + b + m - 1)) / odd) * curve * x;
    const denominator = m + curve + ((a + m) * (start + m * (1 + y))) / (odd + 2);
    d = 1 / (denominator + numerator * d || TINY);
    c = denominator + numerator / c || TINY;
    value *= c * d;
    if (Math.abs(c * d - 1) <= Number.EPSILON) {
      return value;
    }
  }
  throw new RangeError(`The incomplete beta function did not converge for a = ${a}, b = ${b}, x = ${x}.`);
}
