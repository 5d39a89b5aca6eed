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

/** The division of labels from elsewhere between people's yes and people's no. */
export type CalibrationSplit = { readonly yes: number; readonly no: number };

/**
 * Divides labels for {@link roganGladen} between items that people pass and fail.
 *
 * Method: C. Lee et al., arXiv 2511.21140 (2025): m₁ = m / (1 + (1/p − 1) √κ) with κ = (1 − TNR) / (1 − TPR); with a pilot
 * of k labels of each kind, κ = (k (1 − TNR) + 1) / (k (1 − TPR) + 1) and at least k of each. Without a pilot, a TPR of 1
 * counts as 1 − 10⁻⁶, as in the authors' code.
 *
 * @throws RangeError unless rates are in [0, 1], the pass rate is above 0, counts are whole, and there are labels for the
 * pilot.
 */
export function calibrationSplit(options: {
  readonly labels: number;
  /** The judge's pass rate on the run. */
  readonly passRate: number;
  readonly sensitivity: number;
  readonly specificity: number;
  /** The number of labels of each kind that the two rates come from; 0 for a guess, by default. */
  readonly pilot?: number;
}): CalibrationSplit {
  const { labels, passRate, sensitivity, specificity, pilot = 0 } = options;
  for (const [name, rate] of Object.entries({ passRate, sensitivity, specificity })) {
    checkDomain(rate >= 0 && rate <= 1, name, rate, 'from 0 to 1');
  }
  checkDomain(passRate > 0, 'passRate', passRate, 'above 0');
  checkDomain(Number.isSafeInteger(pilot) && pilot >= 0, 'pilot', pilot, 'a whole number of at least 0');
  const isEnough = Number.isSafeInteger(labels) && labels >= 2 * pilot;
  checkDomain(isEnough, 'labels', labels, `a whole number of at least ${2 * pilot}, two pilots`);
  const ratio =
    pilot === 0
      ? (1 - specificity) / (1 - Math.min(sensitivity, 1 - 1e-6))
      : (pilot * (1 - specificity) + 1) / (pilot * (1 - sensitivity) + 1);
  const share = labels / (1 + (1 / passRate - 1) * Math.sqrt(ratio));
  const yes = Math.max(pilot, Math.min(labels - pilot, Math.round(share)));
  return { yes, no: labels - yes };
}
