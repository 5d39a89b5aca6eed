import { checkConfidence } from './check-domain.ts';
import {
  type DefinedInterval,
  type IntervalBasis,
  undefinedInterval,
  type UndefinedInterval,
} from './interval.ts';
import { normalQuantile } from './normal.ts';

/** An estimate with its standard error and limits based on the normal distribution, or the reason why there are none. */
export type NormalInterval =
  | (DefinedInterval & {
      /** The standard error in the unit of the estimate. */
      readonly standardError: number;
      /** True when a limit would lie beyond the possible values and was moved to their end. */
      readonly isClipped: boolean;
    })
  | (UndefinedInterval & { readonly standardError: number | null; readonly isClipped: false });

/** The least and the greatest possible value of a quantity. */
export type Range = { readonly least: number; readonly greatest: number };

/** The range of a share. */
export const shareRange: Range = { least: 0, greatest: 1 };

/**
 * Returns the estimate ± z standard errors, within the possible values.
 *
 * @throws RangeError unless the confidence is strictly between 0 and 1.
 */
export function normalInterval({
  range,
  ...point
}: IntervalBasis & {
  readonly estimate: number;
  readonly standardError: number;
  readonly range?: Range;
}): NormalInterval & DefinedInterval {
  const margin = marginOf(point.standardError, point.confidence);
  return {
    ...point,
    status: 'defined',
    ...clipLimits(point.estimate - margin, point.estimate + margin, range),
  };
}

/** Returns z standard errors. */
export function marginOf(standardError: number, confidence: number): number {
  checkConfidence(confidence);
  return -normalQuantile((1 - confidence) / 2) * standardError;
}

/** Returns limits moved into a range, and whether one of them had to be moved. */
export function clipLimits(
  lower: number,
  upper: number,
  range: Range = { least: -Infinity, greatest: Infinity },
): { readonly lower: number; readonly upper: number; readonly isClipped: boolean } {
  const clip = (limit: number) => Math.min(range.greatest, Math.max(range.least, limit));
  return {
    lower: clip(lower),
    upper: clip(upper),
    isClipped: lower < range.least || upper > range.greatest,
  };
}

/** Returns the interval without limits, with the reason and what is known. */
export function undefinedNormalInterval(
  basis: IntervalBasis & {
    readonly estimate: number | null;
    readonly standardError?: number | null;
    readonly reason: string;
  },
): NormalInterval & UndefinedInterval {
  return { ...undefinedInterval(basis), standardError: basis.standardError ?? null, isClipped: false };
}
