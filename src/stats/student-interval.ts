import { undefinedInterval } from './interval.ts';
import type { DefinedInterval, IntervalBasis, UndefinedInterval } from './interval.ts';
import { studentTQuantile } from './student-t.ts';

/** An estimate with the standard error and the degrees of freedom that its uncertainty follows from. */
export type StudentPoint = {
  readonly estimate: number;
  /** In the unit of the estimate. */
  readonly standardError: number;
  /** May be fractional. */
  readonly degreesOfFreedom: number;
};

/** A symmetric interval made with Student's t, or the reason why there is none. */
export type StudentInterval =
  | (DefinedInterval & StudentPoint)
  | (UndefinedInterval & { readonly standardError: null; readonly degreesOfFreedom: null });

/** Why there are no limits of values near the largest number there is. */
export const tooLarge = 'values are too large to square';

/** The estimate ± t standard errors; without limits where values are so large that their squares are no numbers any more. */
export function studentInterval(point: IntervalBasis & StudentPoint): StudentInterval {
  const { estimate, standardError, degreesOfFreedom, confidence } = point;
  const margin = -studentTQuantile({ p: (1 - confidence) / 2, degreesOfFreedom }) * standardError;
  const [lower, upper] = [estimate - margin, estimate + margin];
  if (Number.isFinite(lower) && Number.isFinite(upper)) return { ...point, status: 'defined', lower, upper };
  const { standardError: _, degreesOfFreedom: _freedom, ...basis } = point;
  const known = Number.isFinite(estimate) ? estimate : null;
  return undefinedStudentInterval({ ...basis, estimate: known, reason: tooLarge });
}

/** The same without limits, for the given reason. */
export function undefinedStudentInterval(
  basis: IntervalBasis & { readonly estimate: number | null; readonly reason: string },
): StudentInterval {
  return { ...undefinedInterval(basis), standardError: null, degreesOfFreedom: null };
}
