import { betaProbabilities, logBeta, solveBeta } from './beta.ts';
import { checkDomain } from './check-domain.ts';
import {
  type DefinedInterval,
  type IntervalBasis,
  undefinedInterval,
  type UndefinedInterval,
} from './interval.ts';

/** The value of t² / degrees of freedom from which the leading term of the tail is exact to the last digit. */
const LEADING_TERM_FROM = 1e250;

/**
 * Returns the probability that a variable with Student's t distribution is at most `t`; relative error below 1e-12,
 * also in the lower tail. The degrees of freedom may be fractional.
 *
 * Method: P(T > t) = ½ I_x(ν/2, ½) with x = ν / (ν + t²) (Abramowitz & Stegun 26.7.1).
 *
 * @throws RangeError when `t` is NaN, or unless `degreesOfFreedom` is positive and finite.
 */
export function studentTCdf({ t, degreesOfFreedom }: { t: number; degreesOfFreedom: number }): number {
  checkDomain(!Number.isNaN(t), 't', t, 'a number');
  checkDegreesOfFreedom(degreesOfFreedom);
  if (t === 0) {
    return 0.5;
  }
  const tail = bothTails(Math.abs(t), degreesOfFreedom) / 2;
  return t < 0 ? tail : 1 - tail;
}

/**
 * Returns the `t` below which a variable with Student's t distribution lies with probability `p`; relative error below
 * 1e-12. `p` = 0 and 1 give −Infinity and Infinity. The degrees of freedom may be fractional.
 *
 * Method: inverts {@link studentTCdf} by {@link solveBeta} on t² / (ν + t²), which has a Beta(½, ν/2) distribution.
 *
 * @throws RangeError unless `p` is in [0, 1] and `degreesOfFreedom` is positive and finite.
 */
export function studentTQuantile({ p, degreesOfFreedom }: { p: number; degreesOfFreedom: number }): number {
  checkDomain(p >= 0 && p <= 1, 'p', p, 'from 0 to 1');
  checkDegreesOfFreedom(degreesOfFreedom);
  const sign = Math.sign(p - 0.5);
  const tail = Math.min(p, 1 - p);
  if (sign === 0 || tail === 0) {
    return sign === 0 ? 0 : sign * Infinity;
  }
  const { logX, logY } = solveBeta({ lower: 1 - 2 * tail, upper: 2 * tail, a: 0.5, b: degreesOfFreedom / 2 });
  return sign * Math.sqrt(degreesOfFreedom) * Math.exp((logX - logY) / 2);
}

/** Returns P(|T| > t) for t > 0. */
function bothTails(t: number, degreesOfFreedom: number): number {
  const a = degreesOfFreedom / 2;
  const root = t / Math.sqrt(degreesOfFreedom);
  const square = root * root;
  if (square > LEADING_TERM_FROM) {
    return Math.exp(-degreesOfFreedom * Math.log(root) - Math.log(a) - logBeta({ a, b: 0.5 }));
  }
  const point = { x: 1 / (1 + square), y: square / (1 + square), a, b: 0.5 };
  return betaProbabilities(point).lower;
}

function checkDegreesOfFreedom(degreesOfFreedom: number): void {
  checkDomain(
    degreesOfFreedom > 0 && degreesOfFreedom < Infinity,
    'degreesOfFreedom',
    degreesOfFreedom,
    'positive and finite',
  );
}

/** An estimate with its standard error and degrees of freedom. */
export type StudentPoint = {
  readonly estimate: number;
  /** The standard error in the unit of the estimate. */
  readonly standardError: number;
  /** The degrees of freedom, which may be fractional. */
  readonly degreesOfFreedom: number;
};

/** A symmetric interval from Student's t, or the reason why there is none. */
export type StudentInterval =
  | (DefinedInterval & StudentPoint)
  | (UndefinedInterval & { readonly standardError: null; readonly degreesOfFreedom: null });

/** The reason why values near the largest double have no limits. */
export const tooLarge = 'values are too large to square';

/** Returns the estimate ± t standard errors; without limits when values are too large to square. */
export function studentInterval(point: IntervalBasis & StudentPoint): StudentInterval {
  const { estimate, standardError, degreesOfFreedom, confidence } = point;
  const margin = -studentTQuantile({ p: (1 - confidence) / 2, degreesOfFreedom }) * standardError;
  const [lower, upper] = [estimate - margin, estimate + margin];
  if (Number.isFinite(lower) && Number.isFinite(upper)) return { ...point, status: 'defined', lower, upper };
  const { standardError: _, degreesOfFreedom: _freedom, ...basis } = point;
  const known = Number.isFinite(estimate) ? estimate : null;
  return undefinedStudentInterval({ ...basis, estimate: known, reason: tooLarge });
}

/** Returns the interval without limits, with the reason. */
export function undefinedStudentInterval(
  basis: IntervalBasis & { readonly estimate: number | null; readonly reason: string },
): StudentInterval {
  return { ...undefinedInterval(basis), standardError: null, degreesOfFreedom: null };
}
