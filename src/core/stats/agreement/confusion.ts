import { checkDomain } from '../check-domain.ts';
import { type Interval, defaultConfidence } from '../interval.ts';
import { wilsonInterval } from '../proportion-interval.ts';
import { knownValue, unknownValue, type ValueOrReason } from '../value-or-reason.ts';

/** The numbers of items by the verdict of people (true or false) and of a judge (positive or negative). */
export type ConfusionCounts = {
  /** People and the judge say yes. */
  readonly truePositives: number;
  /** People say yes, the judge says no. */
  readonly falseNegatives: number;
  /** People say no, the judge says yes. */
  readonly falsePositives: number;
  /** People and the judge say no. */
  readonly trueNegatives: number;
};

/** Verdicts of people and of a judge on the same items, at the same positions. */
export type PairedVerdicts = {
  /** The settled verdicts of people. */
  readonly truth: readonly boolean[];
  /** The verdicts of the judge. */
  readonly predicted: readonly boolean[];
};

/**
 * Counts paired yes/no verdicts.
 *
 * @throws RangeError when the lists differ in length.
 */
export function confusionCounts({ truth, predicted }: PairedVerdicts): ConfusionCounts {
  checkDomain(predicted.length === truth.length, 'predicted.length', predicted.length, `${truth.length}`);
  const counts = { truePositives: 0, falseNegatives: 0, falsePositives: 0, trueNegatives: 0 };
  for (const [place, isTrue] of truth.entries()) {
    const isPositive = predicted[place] === true;
    if (isTrue) counts[isPositive ? 'truePositives' : 'falseNegatives'] += 1;
    else counts[isPositive ? 'falsePositives' : 'trueNegatives'] += 1;
  }
  return counts;
}

/** The agreement of a judge with people on yes/no verdicts: shares with their intervals, and summaries without. */
export type ConfusionRates = {
  /** The number of items. */
  readonly n: number;
  /** True positive rate (TPR, recall): share of people's yes that the judge finds. */
  readonly sensitivity: Interval;
  /** True negative rate (TNR): share of people's no that the judge finds. */
  readonly specificity: Interval;
  /** Positive predictive value (PPV, precision): share of the judge's yes that people confirm. */
  readonly positivePredictiveValue: Interval;
  /** Negative predictive value (NPV): share of the judge's no that people confirm. */
  readonly negativePredictiveValue: Interval;
  /** Share of items with the same verdict: the raw agreement. */
  readonly accuracy: Interval;
  /** Share of people's yes. */
  readonly prevalence: Interval;
  /** Share of the judge's yes. */
  readonly positiveRate: Interval;
  /** Harmonic mean of precision and recall. */
  readonly f1: ValueOrReason;
  /** Matthews correlation coefficient, the Pearson correlation of the two verdicts, from −1 to 1. */
  readonly matthewsCorrelation: ValueOrReason;
  /** Youden's J, TPR + TNR − 1: 0 for a judge that says nothing about the truth. */
  readonly youdensJ: ValueOrReason;
};

/**
 * Returns the rates of a confusion table. They describe the population only if the items were drawn at random from it;
 * items drawn by the judge's verdict give a sensitivity and a specificity that are far off (verification bias): use
 * {@link weightedConfusionRates} for them.
 *
 * Method: Wilson's interval for each share; B. W. Matthews, Biochimica et Biophysica Acta 405 (1975); W. J. Youden,
 * Cancer 3 (1950).
 *
 * @throws RangeError unless the counts are whole numbers of at least 0 and the confidence is strictly between 0 and 1.
 */
export function confusionRates(
  options: ConfusionCounts & {
    /** Confidence level, strictly between 0 and 1; 0.95 by default. */
    readonly confidence?: number;
  },
): ConfusionRates {
  const { truePositives: tp, falseNegatives: fn, falsePositives: fp, trueNegatives: tn } = options;
  checkConfusionCounts(options);
  const { confidence = defaultConfidence } = options;
  const share = (successes: number, failures: number): Interval =>
    wilsonInterval({ successes, trials: successes + failures, confidence });
  return {
    n: tp + fn + fp + tn,
    sensitivity: share(tp, fn),
    specificity: share(tn, fp),
    positivePredictiveValue: share(tp, fp),
    negativePredictiveValue: share(tn, fn),
    accuracy: share(tp + tn, fn + fp),
    prevalence: share(tp + fn, fp + tn),
    positiveRate: share(tp + fp, fn + tn),
    ...summariesOf(options),
  };
}

/** Checks that counts are whole numbers of at least 0. */
export function checkConfusionCounts({
  truePositives,
  falseNegatives,
  falsePositives,
  trueNegatives,
}: ConfusionCounts): void {
  for (const [name, count] of Object.entries({
    truePositives,
    falseNegatives,
    falsePositives,
    trueNegatives,
  })) {
    checkDomain(Number.isSafeInteger(count) && count >= 0, name, count, 'a whole number of at least 0');
  }
}

/** Returns the summaries of a table of counts or of sums of weights; `n` is the number of items. */
export function summariesOf(
  { truePositives: tp, falseNegatives: fn, falsePositives: fp, trueNegatives: tn }: ConfusionCounts,
  n: number = tp + fn + fp + tn,
): Pick<ConfusionRates, 'f1' | 'matthewsCorrelation' | 'youdensJ'> {
  const either = 2 * tp + fp + fn;
  const yes = tp + fn;
  const no = fp + tn;
  const spread = Math.sqrt(yes) * Math.sqrt(no) * Math.sqrt(tp + fp) * Math.sqrt(fn + tn);
  return {
    f1:
      either === 0
        ? unknownValue('neither people nor the judge say yes', n)
        : knownValue((2 * tp) / either, n),
    matthewsCorrelation:
      spread === 0
        ? unknownValue('the verdicts of people or of the judge are all alike', n)
        : knownValue((tp * tn - fp * fn) / spread, n),
    youdensJ:
      yes === 0 || no === 0
        ? unknownValue('the verdicts of people are all alike', n)
        : knownValue(tp / yes + tn / no - 1, n),
  };
}
