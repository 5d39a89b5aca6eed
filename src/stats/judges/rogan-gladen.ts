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
 * Corrects the pass rate of a judge by its error rates, for labels that come from other items than those of the run. It
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
  const { passes, n, labels: counts, confidence = defaultConfidence } = options;
  checkConfidence(confidence);
  checkConfusionCounts(counts);
  checkDomain(Number.isSafeInteger(n) && n >= 0, 'n', n, 'a whole number of at least 0');
  checkDomain(
    Number.isSafeInteger(passes) && passes >= 0 && passes <= n,
    'passes',
    passes,
    `from 0 to n (${n})`,
  );
  const yes = counts.truePositives + counts.falseNegatives;
  const no = counts.trueNegatives + counts.falsePositives;
  const basis = { n, confidence, method: 'rogan-gladen' } as const;
  const none = (reason: string): RoganGladen => ({
    ...undefinedNormalInterval({ ...basis, estimate: null, reason }),
    labels: yes + no,
    isEstimateClipped: false,
    caution: 'too-few-labels',
  });
  if (n === 0) return none('no items');
  if (yes === 0 || no === 0) return none(`no label of people says ${yes === 0 ? 'yes' : 'no'}`);
  const rates = {
    p: passes / n,
    n,
    tpr: counts.truePositives / yes,
    yes,
    tnr: counts.trueNegatives / no,
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
    labels: yes + no,
    isEstimateClipped: estimate !== raw.estimate,
    caution: labelCautionOf({
      ...cautionBasis,
      effectiveLabels: (cautionBasis.estimate * (1 - cautionBasis.estimate)) / adjusted.variance,
      disagreements: counts.falseNegatives + counts.falsePositives,
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
