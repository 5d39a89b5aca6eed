import { checkConfidence, checkDomain } from '../check-domain.ts';
import { defaultConfidence } from '../interval.ts';
import { marginOf } from '../normal-interval.ts';
import type { RateTarget } from './verdict-strata.ts';

/** A stratum of items of which some will be labelled. */
export type PlannedStratum = {
  /** The number of items. */
  readonly size: number;
  /** The expected share that people pass, from a pilot; 0.5, for which labels vary most, by default. */
  readonly rate?: number;
};

/**
 * The rule by which labels are divided: `equal` (half and half by verdict) finds both kinds of error, `proportional` is
 * like a random draw, `neyman` gives the narrowest interval once a pilot has estimated the rates.
 */
export type AllocationRule = 'equal' | 'proportional' | 'neyman';

/**
 * Divides a number of labels over strata. Each gets the minimum, or all its items if it has fewer, and never more than it
 * has; fewer labels than minimums are divided in their proportion.
 *
 * Method: J. Neyman, Journal of the Royal Statistical Society 97 (1934): labels in proportion to size · √(rate (1 − rate));
 * rounded by largest remainders.
 *
 * @returns The number of labels of each stratum; they sum to `labels`, or to all items if there are fewer.
 * @throws RangeError unless counts are whole and at least 0 and rates are in [0, 1].
 */
export function allocateLabels(options: {
  readonly strata: readonly PlannedStratum[];
  readonly labels: number;
  /** `equal` by default. */
  readonly rule?: AllocationRule;
  /** The least number of labels of a stratum; 0 by default. */
  readonly minimum?: number;
}): number[] {
  const { strata, labels, rule = 'equal', minimum = 0 } = options;
  checkCount('labels', labels);
  checkCount('minimum', minimum);
  for (const stratum of strata) checkPlanned(stratum);
  const sizes = strata.map(({ size }) => size);
  const wanted = Math.min(labels, sumOf(sizes));
  const least = sizes.map((size) => Math.min(size, minimum));
  const needed = sumOf(least);
  if (needed >= wanted)
    return roundTo(
      wanted,
      least.map((count) => (needed === 0 ? 0 : (count * wanted) / needed)),
      sizes,
    );
  const weights = strata.map((stratum) => weightOf(stratum, rule));
  return roundTo(wanted, fill({ wanted, weights, least, most: sizes }), sizes);
}

function weightOf({ size, rate = 0.5 }: PlannedStratum, rule: AllocationRule): number {
  if (rule === 'equal') return size > 0 ? 1 : 0;
  return rule === 'proportional' ? size : size * Math.sqrt(rate * (1 - rate));
}

type Filling = {
  readonly wanted: number;
  readonly weights: readonly number[];
  readonly least: readonly number[];
  readonly most: readonly number[];
};

/** Divides a number in proportion to weights, as far as the least and the greatest shares allow. */
function fill({ wanted, weights, least, most }: Filling): number[] {
  const at = (scale: number) =>
    weights.map((weight, place) =>
      Math.min(most[place] as number, Math.max(least[place] as number, weight * scale)),
    );
  let [low, high] = [0, 1];
  while (sumOf(at(high)) < wanted && high < 1e12) high *= 2;
  for (let step = 0; step < 200; step += 1) {
    const middle = (low + high) / 2;
    if (sumOf(at(middle)) < wanted) low = middle;
    else high = middle;
  }
  return at(high);
}

/** Rounds shares to whole numbers of a given sum by largest remainders; what no weight asks for goes where there is room. */
function roundTo(wanted: number, shares: readonly number[], most: readonly number[]): number[] {
  const counts = shares.map((share) => Math.floor(share + 1e-9));
  const order = shares.map((share, place) => ({ place, rest: share - (counts[place] as number) }));
  order.sort((a, b) => b.rest - a.rest || a.place - b.place);
  let missing = wanted - sumOf(counts);
  while (missing > 0) {
    for (const { place } of order) {
      if (missing === 0 || (counts[place] as number) >= (most[place] as number)) continue;
      counts[place] = (counts[place] as number) + 1;
      missing -= 1;
    }
  }
  return counts;
}

/** A stratum with its planned labels. */
export type LabelPlan = PlannedStratum & { readonly labels: number };

/**
 * Returns the half-width that the interval of a pass rate will have, before anything is labelled.
 *
 * Method: the variance of {@link verdictStrataRate} at the expected rates, times the normal quantile. A judge with a pass
 * rate p, TPR and TNR has the rates PPV among its passes and 1 − NPV among its fails.
 *
 * @returns The half-width, or null when a stratum has items and no labels.
 * @throws RangeError unless counts are whole, labels are at most the size, rates are in [0, 1] and the confidence is
 * strictly between 0 and 1.
 */
export function expectedHalfWidth(options: {
  readonly strata: readonly LabelPlan[];
  /** `population` by default. */
  readonly target?: RateTarget;
  /** Confidence level, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
}): number | null {
  const { target = 'population', confidence = defaultConfidence } = options;
  checkConfidence(confidence);
  for (const stratum of options.strata) {
    checkPlanned(stratum);
    checkCount('labels', stratum.labels);
    checkDomain(stratum.labels <= stratum.size, 'labels', stratum.labels, `at most size (${stratum.size})`);
  }
  const strata = options.strata.filter(({ size }) => size > 0);
  const n = sumOf(strata.map(({ size }) => size));
  if (n === 0 || strata.some(({ labels }) => labels === 0)) return null;
  const estimate = sumOf(strata.map(({ size, rate = 0.5 }) => (size / n) * rate));
  const variances = strata.map(({ size, labels, rate = 0.5 }) => {
    const ofDraw = ((size / n) ** 2 * rate * (1 - rate)) / labels;
    if (target === 'run') return ofDraw * (1 - labels / size);
    return ofDraw + ((size / n) * (rate - estimate) ** 2) / n;
  });
  return marginOf(Math.sqrt(sumOf(variances)), confidence);
}

function checkPlanned({ size, rate = 0.5 }: PlannedStratum): void {
  checkCount('size', size);
  checkDomain(rate >= 0 && rate <= 1, 'rate', rate, 'from 0 to 1');
}

function checkCount(name: string, count: number): void {
  checkDomain(Number.isSafeInteger(count) && count >= 0, name, count, 'a whole number of at least 0');
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
