import { checkConfidence, checkDomain } from '../check-domain.ts';
import { defaultConfidence, type IntervalBasis } from '../interval.ts';
import {
  normalInterval,
  type NormalInterval,
  shareRange,
  undefinedNormalInterval,
} from '../normal-interval.ts';
import { wilsonInterval } from '../proportion-interval.ts';
import { type LabelCaution, labelCautionOf, leastInStratum } from './label-caution.ts';

/** The items that a rate is about: the items of the run, or all items of which they are a random part. */
export type RateTarget = 'run' | 'population';

/** Items with the same verdict of the judge, or verdict and category, of which a random part was labelled. */
export type VerdictStratum = {
  /** The number of items. */
  readonly size: number;
  /** The number of labelled items. */
  readonly labels: number;
  /** The number of labelled items that people pass. */
  readonly passes: number;
};

/** Options of {@link verdictStrataRate}. */
export type VerdictStrataOptions = {
  readonly strata: readonly VerdictStratum[];
  /** `population` by default. */
  readonly target?: RateTarget;
  /** `wilson` by default, which keeps its coverage near 0 and 1; `normal` is the textbook's. */
  readonly limits?: 'wilson' | 'normal';
  /** Confidence level, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
};

/** A pass rate from labels drawn by stratum; `n` is the number of all items. */
export type VerdictStrataRate = NormalInterval & {
  /** The number of labels. */
  readonly labels: number;
  readonly target: RateTarget;
  readonly caution: LabelCaution;
};

/**
 * Estimates the share of items that people would pass from labels drawn within strata, such as half from the judge's
 * passes and half from its fails.
 *
 * Method: W. G. Cochran, Sampling Techniques (1977), section 5: θ = Σ W ȳ; Var = Σ W² s² / m · (1 − m/size) for the run,
 * and Σ W² s² / m + Σ W (ȳ − θ)² / n for the population (section 12.2, double sampling), with s² = ȳ (1 − ȳ), as {@link
 * ppiMean} divides by m. Limits `wilson`: Wilson's with
 * the effective number of labels θ(1 − θ) / Var, for which a pass and a fail are added to the labels of each stratum: ½
 * of each is too little, see `bench/label-coverage.ts`.
 *
 * @throws RangeError unless counts are whole with 0 ≤ passes ≤ labels ≤ size, and the confidence is strictly between 0
 * and 1.
 */
export function verdictStrataRate(options: VerdictStrataOptions): VerdictStrataRate {
  const { target = 'population', limits = 'wilson', confidence = defaultConfidence } = options;
  checkConfidence(confidence);
  for (const stratum of options.strata) checkStratum(stratum);
  const strata = options.strata.filter(({ size }) => size > 0);
  const n = sumOf(strata, ({ size }) => size);
  const labels = sumOf(strata, (stratum) => stratum.labels);
  const method = limits === 'wilson' ? 'verdict-strata-wilson' : 'verdict-strata';
  const basis = { n, confidence, method, labels, target } as const;
  if (n === 0) return undefinedRate(basis, null, 'no items');
  if (strata.some((stratum) => stratum.labels === 0)) {
    return undefinedRate(basis, null, 'a stratum has no labels');
  }
  const estimate = sumOf(strata, ({ size, labels: m, passes }) => (size / n) * (passes / m));
  return (limits === 'wilson' ? wilsonLimits : normalLimits)({ ...basis, estimate }, strata);
}

type Basis = IntervalBasis & Pick<VerdictStrataRate, 'labels' | 'target'>;
type Point = Basis & { readonly estimate: number };

function undefinedRate(basis: Basis, estimate: number | null, reason: string): VerdictStrataRate {
  const { labels, target } = basis;
  return {
    ...undefinedNormalInterval({ ...basis, estimate, reason }),
    labels,
    target,
    caution: 'too-few-labels',
  };
}

function normalLimits(point: Point, strata: readonly VerdictStratum[]): VerdictStrataRate {
  const { n, labels, target, estimate } = point;
  if (strata.some(({ size, labels: m }) => m === 1 && size > 1)) {
    return undefinedRate(point, estimate, 'a stratum with a single label shows no spread');
  }
  const standardError = Math.sqrt(varianceOf({ strata, n, added: 0 })[target]);
  const isExact = target === 'run' && labels === n;
  if (standardError === 0 && !isExact) {
    return undefinedRate(point, estimate, 'the labels of every stratum are alike');
  }
  const interval = normalInterval({ ...point, standardError, range: shareRange });
  return { ...interval, labels, target, caution: cautionOf(strata, interval) };
}

function wilsonLimits(point: Point, strata: readonly VerdictStratum[]): VerdictStrataRate {
  const { n, target, confidence } = point;
  const adjusted = varianceOf({ strata, n, added: 1 });
  const variance = adjusted[target];
  // Rounding can bring a sum of shares slightly above 1.
  const estimate = Math.min(1, point.estimate);
  const found = {
    ...point,
    status: 'defined',
    estimate,
    standardError: Math.sqrt(variance),
    isClipped: false,
  } as const;
  if (variance === 0) return { ...found, lower: estimate, upper: estimate, caution: null };
  const trials = (adjusted.estimate * (1 - adjusted.estimate)) / variance;
  const { lower, upper } = wilsonInterval({ successes: estimate * trials, trials, confidence });
  const limits = { estimate, lower: lower ?? 0, upper: upper ?? 1 };
  return { ...found, ...limits, caution: cautionOf(strata, limits) };
}

type Limits = { readonly estimate: number; readonly lower: number; readonly upper: number };

function cautionOf(strata: readonly VerdictStratum[], { estimate, lower, upper }: Limits): LabelCaution {
  const n = sumOf(strata, ({ size }) => size);
  const adjusted = varianceOf({ strata, n, added: 1 });
  const open = strata.filter(({ size, labels }) => labels < size);
  return labelCautionOf({
    estimate,
    lower,
    upper,
    effectiveLabels: (adjusted.estimate * (1 - adjusted.estimate)) / adjusted.ofDraw,
    isShort: open.some(({ labels }) => labels < leastInStratum),
    // In each stratum the rarer verdict of people is usually the error of the judge.
    disagreements: Math.min(...open.map(({ labels, passes }) => Math.min(passes, labels - passes))),
  });
}

type Sample = {
  readonly strata: readonly VerdictStratum[];
  readonly n: number;
  /** The number of passes, and of fails, added to the labels of each stratum. */
  readonly added: number;
};

/** Returns the variances of the rate of the run and of the population. */
function varianceOf({
  strata,
  n,
  added,
}: Sample): Readonly<Record<'estimate' | 'ofDraw' | RateTarget, number>> {
  const parts = strata.map(({ size, labels, passes }) => {
    const share = (passes + added) / (labels + 2 * added);
    const variance = (share * (1 - share)) / labels;
    return { weight: size / n, share, variance, open: 1 - labels / size };
  });
  const estimate = sumOf(parts, ({ weight, share }) => weight * share);
  const ofDraw = sumOf(parts, ({ weight, variance }) => weight ** 2 * variance);
  const between = sumOf(parts, ({ weight, share }) => weight * (share - estimate) ** 2) / n;
  const run = sumOf(parts, ({ weight, variance, open }) => weight ** 2 * variance * open);
  return { estimate, ofDraw, run, population: ofDraw + between };
}

function checkStratum({ size, labels, passes }: VerdictStratum): void {
  checkDomain(Number.isSafeInteger(size) && size >= 0, 'size', size, 'a whole number of at least 0');
  checkDomain(
    Number.isSafeInteger(labels) && labels >= 0 && labels <= size,
    'labels',
    labels,
    `from 0 to size (${size})`,
  );
  checkDomain(
    Number.isSafeInteger(passes) && passes >= 0 && passes <= labels,
    'passes',
    passes,
    `from 0 to labels (${labels})`,
  );
}

function sumOf<Element>(list: readonly Element[], value: (element: Element) => number): number {
  return list.reduce((sum, element) => sum + value(element), 0);
}
