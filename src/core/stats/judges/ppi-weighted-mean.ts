import { checkConfidence, checkDomain, drawnWeight } from '../check-domain.ts';
import { defaultConfidence } from '../interval.ts';
import { momentsOf } from '../moments.ts';
import { normalInterval, shareRange, undefinedNormalInterval } from '../normal-interval.ts';
import { type LabelCaution, labelCautionOf, leastInStratum } from './label-caution.ts';
import type { PpiMean } from './ppi-mean.ts';
import type { RateTarget } from './verdict-strata.ts';

/** Labels of items that were drawn with known, unequal probabilities, and the judge's scores of all items. */
export type PpiWeightedOptions = {
  /** The verdicts of people on the labelled items: 0 or 1, or scores. */
  readonly labels: readonly number[];
  /** The verdicts of the judge on the same items, at the same positions. */
  readonly scores: readonly number[];
  /** The probability, above 0 and at most 1, with which each labelled item was drawn, at the same positions. */
  readonly probabilities: readonly number[];
  /** The verdicts of the judge on all items of the frame, labelled or not. */
  readonly allScores: readonly number[];
  /** `population` by default. */
  readonly target?: RateTarget;
  /** The weight of the judge, from 0 to 1; tuned to the least variance by default. */
  readonly lambda?: number;
  /** Confidence level, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
};

/**
 * Estimates the mean that people would give to all items when each was drawn for labelling with its own known
 * probability, for example more often where the judge is unsure.
 *
 * Method: difference estimator θ = λ·mean(f of all) + Σ w (Y − λf) / Σ w with w = 1/π (J. Hájek 1971; T. Zrnic & E. J.
 * Candès, "Active statistical inference", ICML 2024). Variance for the items of the run, drawn independently of each
 * other: m / (m − 1) · Σ w (w − 1)(r − r̄)² / (Σ w)², which for equal π is s² (1 − m/n) / m; for the population also the
 * weighted variance of Y, divided by n. λ minimises it, clipped to [0, 1].
 *
 * @throws RangeError when lists differ in length, a value is not finite, a probability is not above 0 and at most 1, λ is
 * not in [0, 1], or the confidence is not strictly between 0 and 1.
 */
export function ppiWeightedMean(options: PpiWeightedOptions): PpiMean {
  const { labels, allScores, target = 'population', confidence = defaultConfidence } = options;
  checkConfidence(confidence);
  const items = readItems(options);
  const [m, n] = [labels.length, allScores.length];
  const basis = { n, confidence, method: 'ppi-weighted' } as const;
  const none = (estimate: number | null, reason: string): PpiMean => ({
    ...undefinedNormalInterval({ ...basis, estimate, reason }),
    labels: m,
    lambda: null,
    caution: 'too-few-labels',
  });
  if (m < 2) return none(null, m === 0 ? 'no labels' : 'a single label shows no spread');
  const frame = momentsOf(allScores);
  const total = sumOf(items, ({ weight }) => weight);
  const label = sumOf(items, ({ weight, y }) => weight * y) / total;
  const score = sumOf(items, ({ weight, f }) => weight * f) / total;
  const lambda = options.lambda ?? tune(items, label, score);
  const estimate = lambda * frame.mean + label - lambda * score;
  const rest = sumOf(
    items,
    ({ weight, y, f }) => weight * (weight - 1) * (y - label - lambda * (f - score)) ** 2,
  );
  const ofLabels = sumOf(items, ({ weight, y }) => weight * (y - label) ** 2) / total / n;
  const ofDraw = ((m / (m - 1)) * rest) / total ** 2;
  const variance = ofDraw + (target === 'population' ? ofLabels : 0);
  if (variance === 0) return none(estimate, 'the labels do not vary');
  const values = [labels, options.scores, allScores].flat();
  const isShare = values.every((value) => value >= 0 && value <= 1);
  const point = { ...basis, estimate, standardError: Math.sqrt(variance) };
  const interval = normalInterval({ ...point, ...(isShare ? { range: shareRange } : {}) });
  const isShort = m < leastInStratum;
  const effectiveLabels = (estimate * (1 - estimate)) / variance;
  const disagreements = items.filter(({ y, f }) => y !== f).length;
  const shortCaution: LabelCaution = isShort ? 'too-few-labels' : null;
  const caution = isShare
    ? labelCautionOf({ ...interval, effectiveLabels, disagreements, isShort })
    : shortCaution;
  return { ...interval, labels: m, lambda, caution };
}

type Item = { readonly y: number; readonly f: number; readonly weight: number };

function readItems({ labels, scores, probabilities, allScores, lambda = 0 }: PpiWeightedOptions): Item[] {
  checkDomain(
    scores.length === labels.length,
    'scores.length',
    scores.length,
    `${labels.length}, as of labels`,
  );
  checkDomain(
    probabilities.length === labels.length,
    'probabilities.length',
    probabilities.length,
    `${labels.length}`,
  );
  checkDomain(
    allScores.length >= labels.length,
    'allScores.length',
    allScores.length,
    `at least ${labels.length}`,
  );
  checkDomain(lambda >= 0 && lambda <= 1, 'lambda', lambda, 'from 0 to 1');
  for (const value of [...labels, ...scores, ...allScores]) {
    if (!Number.isFinite(value)) checkDomain(false, 'a value', value, 'finite');
  }
  return labels.map((y, place) => ({
    y,
    f: scores[place] as number,
    weight: drawnWeight(probabilities[place], place),
  }));
}

function tune(items: readonly Item[], label: number, score: number): number {
  const squares = sumOf(items, ({ weight, f }) => weight * (weight - 1) * (f - score) ** 2);
  const products = sumOf(items, ({ weight, y, f }) => weight * (weight - 1) * (y - label) * (f - score));
  return squares === 0 ? 0 : Math.min(1, Math.max(0, products / squares));
}

function sumOf(items: readonly Item[], value: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + value(item), 0);
}
