import { checkConfidence, checkDomain } from '../check-domain.ts';
import { defaultConfidence } from '../interval.ts';
import { normalQuantile } from '../normal.ts';
import {
  clipLimits,
  marginOf,
  type NormalInterval,
  shareRange,
  undefinedNormalInterval,
} from '../normal-interval.ts';
import { checkConfusionCounts, type ConfusionCounts } from '../agreement/confusion.ts';
import { type LabelCaution, labelCautionOf } from './label-caution.ts';

/** The verdicts of a judge on items without labels, and its table on labelled items from elsewhere. */
export type RoganGladenOptions = {
  /** The number of items that the judge passes. */
  readonly passes: number;
  /** The number of items. */
  readonly n: number;
  /** The labelled items, which must not be drawn by the judge's verdict. */
  readonly labels: ConfusionCounts;
  /** Confidence level, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
};

/** A pass rate corrected for the judge's error rates; `n` is the number of items without labels. */
export type RoganGladen = NormalInterval & {
  /** The number of labels. */
  readonly labels: number;
  /** True when the estimate would lie outside [0, 1] and was moved to its end. */
  readonly isEstimateClipped: boolean;
  readonly caution: LabelCaution;
};

/**
 * Corrects the pass rate of a judge by its error rates, for labels that come from other items than the items of the run. It
 * assumes that the error rates are the same on both. Labels drawn by the judge's verdict give a far too high rate: use
 * {@link verdictStrataRate} for them, and {@link ppiMean} for a random draw from the run.
 *
 * Method: W. J. Rogan & B. Gladen, American Journal of Epidemiology 107 (1978): (p + TNR − 1) / (TPR + TNR − 1); limits
 * of T. Lang & J. Reiczigel, Preventive Veterinary Medicine 113 (2014), as used for judges by C. Lee et al., arXiv
 * 2511.21140 (2025): p with z² / 2 added passes and fails, TPR and TNR with one right and one wrong label added, a
 * shifted centre, limits within [0, 1]. The standard error is the delta method's without additions.
 *
 * @throws RangeError unless counts are whole with 0 ≤ passes ≤ n, and the confidence is strictly between 0 and 1.
 */
export function roganGladen(options: RoganGladenOptions): RoganGladen {
  const { labels: counts, ...rest } = options;
  checkConfusionCounts(counts);
  const yes = counts.truePositives + counts.falseNegatives;
  const no = counts.trueNegatives + counts.falsePositives;
  return roganGladenOfRates({
    ...rest,
    sensitivity: { rate: yes === 0 ? 0 : counts.truePositives / yes, trials: yes },
    specificity: { rate: no === 0 ? 0 : counts.trueNegatives / no, trials: no },
  });
}

/** An error rate of a judge, with the number of labels behind it, which is no whole number for weighted labels. */
export type RateOfJudge = { readonly rate: number; readonly trials: number };

/**
 * Returns an error rate with the number of labels that its Wilson limits stand for; undefined for a rate without limits.
 *
 * Method: the product of Wilson's limits is p² / (1 + z² / n), and the product of their complements is (1 − p)² / (1 + z² / n).
 */
export function rateWithin(
  limits: { readonly rate: number | null; readonly lower: number | null; readonly upper: number | null },
  confidence: number = defaultConfidence,
): RateOfJudge | undefined {
  const { rate, lower, upper } = limits;
  if (rate === null || lower === null || upper === null) return undefined;
  const ratio = rate >= 0.5 ? rate ** 2 / (lower * upper) : (1 - rate) ** 2 / ((1 - lower) * (1 - upper));
  const trials = normalQuantile((1 - confidence) / 2) ** 2 / (ratio - 1);
  return trials > 0 && trials < Infinity ? { rate, trials } : undefined;
}

/** The verdicts of a judge on items without labels, and its error rates on labelled items from elsewhere. */
export type RoganGladenOfRates = Omit<RoganGladenOptions, 'labels'> & {
  /** TPR, and the effective number of labels that say yes. */
  readonly sensitivity: RateOfJudge;
  /** TNR, and the effective number of labels that say no. */
  readonly specificity: RateOfJudge;
};

/**
 * Corrects the pass rate of a judge by error rates that were estimated from weighted labels, such as labels drawn by the
 * judge's verdict that count 1/π each.
 *
 * Method: {@link roganGladen} with effective numbers of labels R (1 − R) / Var.
 *
 * @throws RangeError unless 0 ≤ passes ≤ n are whole, rates are in [0, 1], and the confidence is strictly between 0 and 1.
 */
export function roganGladenOfRates(options: RoganGladenOfRates): RoganGladen {
  const { passes, n, sensitivity, specificity, confidence = defaultConfidence } = options;
  checkConfidence(confidence);
  for (const { rate } of [sensitivity, specificity])
    checkDomain(rate >= 0 && rate <= 1, 'a rate', rate, 'from 0 to 1');
  checkDomain(Number.isSafeInteger(n) && n >= 0, 'n', n, 'a whole number of at least 0');
  checkDomain(
    Number.isSafeInteger(passes) && passes >= 0 && passes <= n,
    'passes',
    passes,
    `from 0 to n (${n})`,
  );
  const { trials: yes } = sensitivity;
  const { trials: no } = specificity;
  const basis = { n, confidence, method: 'rogan-gladen' } as const;
  const none = (reason: string): RoganGladen => ({
    ...undefinedNormalInterval({ ...basis, estimate: null, reason }),
    labels: Math.round(yes + no),
    isEstimateClipped: false,
    caution: 'too-few-labels',
  });
  if (n === 0) return none('no items');
  if (yes === 0 || no === 0) return none(`no label of people says ${yes === 0 ? 'yes' : 'no'}`);
  const rates = {
    p: passes / n,
    n,
    tpr: sensitivity.rate,
    yes,
    tnr: specificity.rate,
    no,
  };
  if (rates.tpr + rates.tnr <= 1)
    return none('TPR + TNR is at most 1: the judge says nothing about the truth');
  const raw = correct(rates);
  const { margin, centre, adjusted } = adjustedLimits(rates, confidence);
  if (adjusted.power <= 0) return none('with so few labels, the judge may say nothing about the truth');
  const limits = clipLimits(centre - margin, centre + margin, shareRange);
  const estimate = Math.min(1, Math.max(0, raw.estimate));
  const cautionBasis = { ...limits, estimate: Math.min(1, Math.max(0, adjusted.estimate)) };
  return {
    ...basis,
    status: 'defined',
    estimate,
    standardError: Math.sqrt(raw.variance),
    ...limits,
    labels: Math.round(yes + no),
    isEstimateClipped: estimate !== raw.estimate,
    caution: labelCautionOf({
      ...cautionBasis,
      effectiveLabels: (cautionBasis.estimate * (1 - cautionBasis.estimate)) / adjusted.variance,
      // Rounded, so that whole numbers of labels stay whole.
      disagreements: Math.round(1e9 * ((1 - rates.tpr) * yes + (1 - rates.tnr) * no)) / 1e9,
      isShort: adjusted.power <= marginOf(Math.sqrt(adjusted.varianceOfPower), confidence),
    }),
  };
}

type Rates = {
  /** The judge's pass rate and the number of items. */
  readonly p: number;
  readonly n: number;
  readonly tpr: number;
  /** The number of labels that say yes. */
  readonly yes: number;
  readonly tnr: number;
  /** The number of labels that say no. */
  readonly no: number;
};

type Corrected = {
  readonly estimate: number;
  readonly variance: number;
  /** TPR + TNR − 1. */
  readonly power: number;
  readonly varianceOfPower: number;
};

function correct({ p, n, tpr, yes, tnr, no }: Rates): Corrected {
  const power = tpr + tnr - 1;
  const estimate = (p + tnr - 1) / power;
  const ofYes = (tpr * (1 - tpr)) / yes;
  const ofNo = (tnr * (1 - tnr)) / no;
  const variance = ((p * (1 - p)) / n + (1 - estimate) ** 2 * ofNo + estimate ** 2 * ofYes) / power ** 2;
  return { estimate, variance, power, varianceOfPower: ofYes + ofNo };
}

function adjustedLimits(
  { p, n, tpr, yes, tnr, no }: Rates,
  confidence: number,
): { readonly centre: number; readonly margin: number; readonly adjusted: Corrected } {
  const square = normalQuantile((1 - confidence) / 2) ** 2;
  const rates: Rates = {
    p: (n * p + square / 2) / (n + square),
    n: n + square,
    tpr: (yes * tpr + 1) / (yes + 2),
    yes: yes + 2,
    tnr: (no * tnr + 1) / (no + 2),
    no: no + 2,
  };
  const adjusted = correct(rates);
  const shiftOfYes = (adjusted.estimate * rates.tpr * (1 - rates.tpr)) / rates.yes;
  const shiftOfNo = ((1 - adjusted.estimate) * rates.tnr * (1 - rates.tnr)) / rates.no;
  const centre = adjusted.estimate + 2 * square * (shiftOfYes - shiftOfNo);
  return { centre, margin: marginOf(Math.sqrt(adjusted.variance), confidence), adjusted };
}
