import { checkDomain } from './check-domain.ts';
import { stirlingError } from './gamma.ts';
import { normalQuantile } from './normal.ts';

/** A beta distribution and the probabilities wanted below and above a point of it; they add to 1. */
type Target = BetaShape & Probabilities;

const MAX_STEPS = 200;

/** ln x below which the leading term of the power series is exact to the last digit. */
const LEADING_TERM_UP_TO = -600;

/**
 * Returns the regularized incomplete beta function I_x(a, b): the probability that a Beta(a, b) variable is at most
 * `x`. Relative error below 1e-12 for shapes up to 100,000 and 1e-11 up to 1,000,000, also in the lower tail.
 *
 * Method: continued fraction (DiDonato & Morris 1992) with Loader's saddle-point leading factor (2000).
 *
 * @throws RangeError unless `x` is in [0, 1] and both shapes are positive and finite.
 */
export function regularizedBeta({ x, a, b }: BetaShape & { readonly x: number }): number {
  checkDomain(x >= 0 && x <= 1, 'x', x, 'from 0 to 1');
  checkShape({ a, b });
  return betaProbabilities({ x, y: 1 - x, a, b }).lower;
}

/**
 * Returns the x below which a Beta(a, b) variable lies with probability `p`; relative error below 1e-12. An x too small
 * for a double comes out as 0.
 *
 * Method: {@link solveBeta}.
 *
 * @throws RangeError unless `p` is in [0, 1] and both shapes are positive and finite.
 */
export function betaQuantile({ p, a, b }: BetaShape & { readonly p: number }): number {
  checkDomain(p >= 0 && p <= 1, 'p', p, 'from 0 to 1');
  checkShape({ a, b });
  if (p === 0 || p === 1) {
    return p;
  }
  return betaSplit({ lower: p, upper: 1 - p, a, b });
}

/**
 * Returns the x at which a Beta(a, b) variable splits into the two given probabilities, both above 0. Unlike {@link
 * betaQuantile} it also takes an upper probability too small to differ from 0 in 1 − `p`.
 *
 * Method: {@link solveBeta}.
 */
export function betaSplit(target: BetaShape & Probabilities): number {
  const { logX, logY } = solveBeta(target);
  return logX < logY ? Math.exp(logX) : -Math.expm1(logY);
}

/**
 * Returns the logarithms of the x and y = 1 − x at which a Beta(a, b) variable splits into the two given probabilities,
 * both above 0.
 *
 * Method: bracketed Newton steps on the logarithms of the smaller probability and of the smaller of x and y, started
 * from Abramowitz & Stegun 26.5.22 or the leading term of the power series.
 */
export function solveBeta(target: Target): { logX: number; logY: number } {
  const { lower, upper, a, b } = target;
  const half = betaProbabilities({ x: 0.5, y: 0.5, a, b });
  if (lower < upper ? lower <= half.lower : upper >= half.upper) {
    const logX = solveLogX(target);
    return { logX, logY: Math.log1p(-Math.exp(logX)) };
  }
  const logY = solveLogX({ lower: upper, upper: lower, a: b, b: a });
  return { logX: Math.log1p(-Math.exp(logY)), logY };
}

/** Returns ln x of a solution known to be at most ln ½. */
function solveLogX(target: Target): number {
  const leading = leadingLogX(target);
  if (leading < LEADING_TERM_UP_TO) {
    return leading;
  }
  let low = leading - Math.LN2 / target.a;
  let high = -Math.LN2;
  let logX = Math.min(high, Math.max(low, startingLogX(target, leading)));
  let previous = Infinity;
  for (let step = 0; step < MAX_STEPS; step += 1) {
    const move = newtonMove(target, logX);
    if (isSettled({ move, previous, logX })) {
      return Math.min(-Math.LN2, logX + move);
    }
    if (move > 0) low = logX;
    else high = logX;
    const next = logX + move;
    logX = next > low && next < high ? next : (low + high) / 2;
    previous = move;
  }
  return logX;
}

/**
 * Returns whether a step is the last: it is below the last digit, or small steps stop shrinking because of rounding
 * noise.
 */
function isSettled({ move, previous, logX }: { move: number; previous: number; logX: number }): boolean {
  const size = Math.abs(move);
  return size <= 2e-15 * (1 - logX) || (size < 1e-8 && size >= Math.abs(previous));
}

/** Returns Newton's correction of ln x, taken on the logarithm of the smaller of the two probabilities. */
function newtonMove(target: Target, logX: number): number {
  const point = { x: Math.exp(logX), y: -Math.expm1(logX), a: target.a, b: target.b };
  const { lower, upper } = betaProbabilities(point);
  const scale = point.y / betaPower(point);
  return target.lower <= target.upper
    ? Math.log(target.lower / lower) * lower * scale
    : Math.log(upper / target.upper) * upper * scale;
}

/**
 * Returns the start of the search: Abramowitz & Stegun 26.5.22 where it applies (both shapes at least 1), otherwise the
 * leading term.
 */
function startingLogX({ lower, upper, a, b }: Target, leading: number): number {
  if (a < 1 || b < 1) {
    return leading;
  }
  const z = lower < upper ? -normalQuantile(lower) : normalQuantile(upper);
  const lambda = (z * z - 3) / 6;
  const inverseA = 1 / (2 * a - 1);
  const inverseB = 1 / (2 * b - 1);
  const h = 2 / (inverseA + inverseB);
  const skew = (inverseB - inverseA) * (lambda + 5 / 6 - 2 / (3 * h));
  const w = (z * Math.sqrt(Math.max(0, h + lambda))) / h - skew;
  return -Math.log1p((b / a) * Math.exp(2 * w));
}

/** Returns ln x from the leading term of the power series, I = x^a / (a B(a, b)). */
function leadingLogX({ lower, upper, a, b }: Target): number {
  const logLower = lower < upper ? Math.log(lower) : Math.log1p(-upper);
  return (logLower + Math.log(a) + logBeta({ a, b })) / a;
}

function checkShape({ a, b }: BetaShape): void {
  checkDomain(a > 0 && a < Infinity, 'a', a, 'positive and finite');
  checkDomain(b > 0 && b < Infinity, 'b', b, 'positive and finite');
}

/** The two shapes of a beta distribution, both positive. */
export type BetaShape = { readonly a: number; readonly b: number };

/** A point of a beta distribution: x, and y = 1 − x given separately so that neither loses digits near 1. */
type BetaPoint = BetaShape & { readonly x: number; readonly y: number };

/** Probabilities below and above a point. The smaller one has full relative accuracy. */
type Probabilities = { readonly lower: number; readonly upper: number };

const MAX_TERMS = 100_000;

/** The stand-in for a denominator of exactly 0 in Lentz's method. */
const TINY = 1e-300;

/**
 * Returns the probabilities that a Beta(a, b) variable falls below and above a point.
 *
 * Method: continued fraction of DiDonato & Morris, "Algorithm 708", ACM TOMS 18 (1992), eq. 9, on the side of the mean
 * where it converges fast.
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
 * Returns x^a y^b / B(a, b): the density of Beta(a, b) times x y.
 *
 * Method: C. Loader, "Fast and accurate computation of binomial probabilities" (2000): deviances instead of powers,
 * which keeps the digits for large shapes and far tails.
 */
export function betaPower({ x, y, a, b }: BetaPoint): number {
  const excess = b * x - a * y;
  const deviance =
    a * deviation(excess / a, ((a + b) * x) / a) + b * deviation(-excess / b, ((a + b) * y) / b);
  return Math.sqrt((a / (a + b)) * (b / (2 * Math.PI))) * Math.exp(-deviance - stirlingExcess({ a, b }));
}

/** Returns the natural logarithm of the beta function B(a, b), without the cancellation of three large logarithms. */
export function logBeta({ a, b }: BetaShape): number {
  const sum = a + b;
  const powers = a * Math.log(a / sum) + b * Math.log1p(-a / sum);
  return powers + 0.5 * Math.log(((2 * Math.PI) / a) * (sum / b)) + stirlingExcess({ a, b });
}

function stirlingExcess({ a, b }: BetaShape): number {
  return stirlingError(a) + stirlingError(b) - stirlingError(a + b);
}

/** Returns e − ln(1 + e) without cancellation; `ratio` is 1 + e with digits of its own. */
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

/** Computes the fraction by Lentz's method in the modified form of Thompson & Barnett (1986). */
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
