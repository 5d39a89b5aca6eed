import { estimateKappa } from '../agreement/cohens-kappa.ts';
import { checkDomain } from '../check-domain.ts';
import { defaultConfidence } from '../interval.ts';
import { marginOf } from '../normal-interval.ts';

/** A wished precision. */
export type WishedPrecision = {
  /** The wished half-width of the interval, in the unit of the estimate. */
  readonly halfWidth: number;
  /** Confidence level, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
};

/** A number of labels, with the number before rounding up. */
export type LabelsNeeded = { readonly labels: number; readonly unrounded: number };

/**
 * Returns the number of labels for a wished half-width of a share, such as the number of people's yes for a TPR.
 *
 * Method: z² p (1 − p) / h².
 *
 * @throws RangeError unless the rate is in [0, 1], the half-width is above 0, and the confidence strictly between 0 and 1.
 */
export function labelsForRate({
  rate,
  ...precision
}: WishedPrecision & { readonly rate: number }): LabelsNeeded {
  checkDomain(rate >= 0 && rate <= 1, 'rate', rate, 'from 0 to 1');
  return labelsFor(Math.sqrt(rate * (1 - rate)), precision);
}

/**
 * Returns the number of items that two people have to label for a wished half-width of Cohen's kappa on yes/no.
 *
 * Method: the standard error of Fleiss, Cohen & Everitt for a symmetric table with the expected kappa and prevalence; for
 * a prevalence of one half it is √((1 − κ²) / n).
 *
 * @throws RangeError unless kappa is from 0 to 1, the prevalence strictly between 0 and 1, the half-width above 0, and the
 * confidence strictly between 0 and 1.
 */
export function labelsForKappa(
  options: WishedPrecision & {
    readonly kappa: number;
    /** The expected share of yes; 0.5 by default. */
    readonly prevalence?: number;
  },
): LabelsNeeded {
  const { kappa, prevalence = 0.5, ...precision } = options;
  checkDomain(kappa >= 0 && kappa <= 1, 'kappa', kappa, 'from 0 to 1');
  checkDomain(prevalence > 0 && prevalence < 1, 'prevalence', prevalence, 'between 0 and 1, both excluded');
  const split = (1 - kappa) * prevalence * (1 - prevalence);
  const table = [
    [prevalence - split, split],
    [split, 1 - prevalence - split],
  ];
  return labelsFor(estimateKappa(table, 1, 'none').standardError, precision);
}

function labelsFor(
  deviation: number,
  { halfWidth, confidence = defaultConfidence }: WishedPrecision,
): LabelsNeeded {
  checkDomain(halfWidth > 0 && halfWidth < Infinity, 'halfWidth', halfWidth, 'above 0 and finite');
  const unrounded = (marginOf(deviation, confidence) / halfWidth) ** 2;
  return { labels: Math.max(1, Math.ceil(unrounded * (1 - 4 * Number.EPSILON))), unrounded };
}
