import { checkConfidence, checkDomain, drawnWeight } from '../check-domain.ts';
import { defaultConfidence, type Interval, undefinedInterval } from '../interval.ts';
import { wilsonInterval } from '../proportion-interval.ts';
import type { Label } from '../cluster-interval.ts';
import { type ConfusionRates, type PairedVerdicts, summariesOf } from './confusion.ts';

/** Paired verdicts on items that were drawn with known, unequal probabilities. */
export type WeightedVerdicts = PairedVerdicts & {
  /** The probability, above 0 and at most 1, with which each item was drawn for labelling, at the same positions. */
  readonly probabilities: readonly number[];
  /**
   * The stratum of each item, at the same positions, when a fixed number was drawn from each: the judge's verdict, or
   * verdict and category. The intervals are wider without.
   */
  readonly strata?: readonly Label[];
  /** Confidence level, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
};

/**
 * Returns the rates of a confusion table for the population from which items were drawn with known probabilities, such
 * as half from the judge's passes and half from its fails: each item counts 1/π.
 *
 * Method: C. B. Begg & R. A. Greenes, Biometrics 39 (1983), as ratios of weighted sums (J. Hájek 1971), for example TPR =
 * Σ_{Y=1, f=1} w / Σ_{Y=1} w, with linearised variances within strata; each interval is Wilson's with the effective
 * number of trials R (1 − R) / Var, or Kish's (Σ w)² / Σ w² where all trials are equal.
 *
 * @throws RangeError when lists differ in length, a probability is not above 0 and at most 1, or the confidence is not
 * strictly between 0 and 1.
 */
export function weightedConfusionRates(options: WeightedVerdicts): ConfusionRates {
  const { truth, predicted, probabilities, strata, confidence = defaultConfidence } = options;
  checkConfidence(confidence);
  checkDomain(predicted.length === truth.length, 'predicted.length', predicted.length, `${truth.length}`);
  checkDomain(
    probabilities.length === truth.length,
    'probabilities.length',
    probabilities.length,
    `${truth.length}`,
  );
  const stratumCount = strata?.length ?? truth.length;
  checkDomain(stratumCount === truth.length, 'strata.length', stratumCount, `${truth.length}`);
  const items = truth.map((isTrue, place) => {
    const isPositive = predicted[place] === true;
    return {
      isTrue,
      isPositive,
      weight: drawnWeight(probabilities[place], place),
      stratum: strata?.[place] ?? 0,
    };
  });
  const share = (isSuccess: Test, isTrial: Test = () => true): Interval =>
    weightedShare({ items, isSuccess, isTrial, confidence });
  const sum = (isPart: Test) => items.reduce((total, item) => total + (isPart(item) ? item.weight : 0), 0);
  return {
    n: items.length,
    sensitivity: share(({ isPositive }) => isPositive, isTrueItem),
    specificity: share(
      ({ isPositive }) => !isPositive,
      (item) => !item.isTrue,
    ),
    positivePredictiveValue: share(isTrueItem, isPositiveItem),
    negativePredictiveValue: share(
      ({ isTrue }) => !isTrue,
      (item) => !item.isPositive,
    ),
    accuracy: share(({ isTrue, isPositive }) => isTrue === isPositive),
    prevalence: share(isTrueItem),
    positiveRate: share(isPositiveItem),
    ...summariesOf(
      {
        truePositives: sum(({ isTrue, isPositive }) => isTrue && isPositive),
        falseNegatives: sum(({ isTrue, isPositive }) => isTrue && !isPositive),
        falsePositives: sum(({ isTrue, isPositive }) => !isTrue && isPositive),
        trueNegatives: sum(({ isTrue, isPositive }) => !isTrue && !isPositive),
      },
      items.length,
    ),
  };
}

type Item = {
  readonly isTrue: boolean;
  readonly isPositive: boolean;
  readonly weight: number;
  readonly stratum: Label;
};
type Test = (item: Item) => boolean;

const isTrueItem: Test = ({ isTrue }) => isTrue;
const isPositiveItem: Test = ({ isPositive }) => isPositive;

type ShareOfItems = {
  readonly items: readonly Item[];
  readonly isSuccess: Test;
  readonly isTrial: Test;
  readonly confidence: number;
};

function weightedShare({ items, isSuccess, isTrial, confidence }: ShareOfItems): Interval {
  const trials = items.filter(isTrial);
  const basis = { n: trials.length, confidence, method: 'effective-wilson' } as const;
  if (trials.length === 0) return undefinedInterval({ ...basis, estimate: null, reason: 'no attempts' });
  const total = sumOf(trials, ({ weight }) => weight);
  const estimate = sumOf(trials, (item) => (isSuccess(item) ? item.weight : 0)) / total;
  const influence = (item: Item) =>
    isTrial(item) ? (item.weight * ((isSuccess(item) ? 1 : 0) - estimate)) / total : 0;
  const variance = varianceWithin(items, influence);
  const kish = total ** 2 / sumOf(trials, ({ weight }) => weight ** 2);
  const isSpread = trials.some(isSuccess) && !trials.every(isSuccess) && variance > 0;
  const effective = isSpread ? (estimate * (1 - estimate)) / variance : kish;
  const share = trials.every(isSuccess) ? 1 : estimate;
  return {
    ...wilsonInterval({ successes: Math.min(1, share) * effective, trials: effective, confidence }),
    ...basis,
  };
}

/** Returns the variance of a sum over items that were drawn independently within strata; a stratum of one adds its square. */
function varianceWithin(items: readonly Item[], influence: (item: Item) => number): number {
  const groups = Map.groupBy(items, ({ stratum }) => stratum);
  return sumOf([...groups.values()], (group) => {
    const size = group.length;
    if (size === 1) return influence(group[0] as Item) ** 2;
    const mean = sumOf(group, influence) / size;
    return (size / (size - 1)) * sumOf(group, (item) => (influence(item) - mean) ** 2);
  });
}

function sumOf<Element>(list: readonly Element[], value: (element: Element) => number): number {
  return list.reduce((sum, element) => sum + value(element), 0);
}
