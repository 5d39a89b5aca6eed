import { checkConfidence } from '../check-domain.ts';
import { defaultConfidence } from '../interval.ts';
import { normalQuantile } from '../normal.ts';
import {
  clipLimits,
  type NormalInterval,
  type Range,
  shareRange,
  undefinedNormalInterval,
} from '../normal-interval.ts';
import { type LabelCaution, labelCautionOf } from './label-caution.ts';
import type { RateOfJudge } from './rogan-gladen.ts';

/** The error rates of a judge, with the effective numbers of labels behind them. */
export type JudgeErrorRates = {
  /** TPR, and the number of labels that say yes. */
  readonly sensitivity: RateOfJudge;
  /** TNR, and the number of labels that say no. */
  readonly specificity: RateOfJudge;
};

/** An answer whose number depends on yes/no verdicts of judges. */
export type JudgedUnit = {
  /**
   * The number of the answer for each set of true verdicts: at the place whose bit j is set when people would say yes to the
   * question of judge j. Two numbers for one judge: for no, and for yes.
   */
  readonly values: readonly number[];
  /** The verdicts of the judges in the same bits. */
  readonly said: number;
  /** The weight in the sum; negative for the first run of a difference. */
  readonly weight: number;
  /** The judges of the bits, as places in the list of error rates. */
  readonly judges: readonly number[];
  /** The group of answers that depend on each other: a case, or cases of one cluster. */
  readonly group: string;
};

/** Options of {@link misclassifiedMean}. */
export type MisclassifiedMeanOptions = {
  readonly units: readonly JudgedUnit[];
  readonly rates: readonly JudgeErrorRates[];
  /** The number of cases of each group. The mean is the weighted sum of the units over the number of all cases. */
  readonly sizes: ReadonlyMap<string, number>;
  /** True when the mean is about these answers alone, so that only the errors of the judges are uncertain. */
  readonly isOfRun?: boolean;
  /** The possible values of the mean; from 0 to 1 by default. */
  readonly range?: Range;
  /** Confidence level, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
};

/** A corrected mean; `n` is the number of cases. */
export type MisclassifiedMean = NormalInterval & {
  readonly caution: LabelCaution;
};

/**
 * Estimates the mean of numbers that depend on the verdicts of judges, such as scores and passes of which a judge decides a
 * part, as it would be by the verdicts of people. It assumes that the error rates hold for these answers and that a judge errs
 * independently of the rest of the number, as {@link roganGladen} does, which it equals for a single judge whose verdict is the
 * number.
 *
 * Method: matrix method of W. J. Rogan & B. Gladen (1978) and of J. Kuha & C. Skinner, Survey Measurement and Process Quality
 * (1997): the number of an answer is Σ over the true verdicts t of f(t) Π g or 1 − g, with g = (said + TNR − 1) / (TPR + TNR −
 * 1), whose expectation is the true number. Variance by the delta method, cluster-robust over groups, plus the variance of each TPR and
 * TNR. Limits as in {@link roganGladen}: z² / 2 groups of the least and of the greatest value added, one right and one wrong
 * label added to TPR and TNR, and a shifted centre.
 *
 * @throws RangeError unless the confidence is strictly between 0 and 1.
 */
export function misclassifiedMean(options: MisclassifiedMeanOptions): MisclassifiedMean {
  const { units, rates, sizes, range = shareRange, confidence = defaultConfidence } = options;
  checkConfidence(confidence);
  const n = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  const isClustered = [...sizes.values()].some((size) => size > 1);
  const basis = {
    n,
    confidence,
    method: 'rogan-gladen',
    ...(isClustered && { clusters: sizes.size }),
  } as const;
  const none = (reason: string): MisclassifiedMean => ({
    ...undefinedNormalInterval({ ...basis, estimate: null, reason }),
    caution: 'too-few-labels',
  });
  if (n === 0 || units.length === 0) return none('no items');
  for (const { sensitivity, specificity } of rates) {
    if (sensitivity.trials === 0 || specificity.trials === 0) return none('no labels of one kind');
    if (sensitivity.rate + specificity.rate <= 1)
      return none('TPR + TNR is at most 1: the judge says nothing about the truth');
  }
  const adjustedRates = rates.map(withOneOfEach);
  if (adjustedRates.some((each) => powerOf(each) <= 0))
    return none('with so few labels, the judge may say nothing about the truth');
  const raw = project(units, rates);
  const adjusted = project(units, adjustedRates);
  const z = -normalQuantile((1 - confidence) / 2);
  const spread = spreadOf({ options, adjusted, adjustedRates, n, z });
  const variance = spread.variance + varianceOfRates(spread, adjustedRates);
  const margin = z * Math.sqrt(variance);
  const centre = spread.centre + 2 * z ** 2 * shiftOf(spread, adjustedRates);
  const limits = clipLimits(centre - margin, centre + margin, range);
  const clip = (value: number) => Math.min(range.greatest, Math.max(range.least, value));
  return {
    ...basis,
    status: 'defined',
    estimate: clip(raw.sum / n),
    standardError: Math.sqrt(variance),
    ...limits,
    caution: cautionOf({ limits, rates, adjustedRates, variance, centre: clip(spread.centre), range, z }),
  };
}

function powerOf({ sensitivity, specificity }: JudgeErrorRates): number {
  return sensitivity.rate + specificity.rate - 1;
}

function withOneOfEach({ sensitivity, specificity }: JudgeErrorRates): JudgeErrorRates {
  const add = ({ rate, trials }: RateOfJudge) => ({
    rate: (trials * rate + 1) / (trials + 2),
    trials: trials + 2,
  });
  return { sensitivity: add(sensitivity), specificity: add(specificity) };
}

/** The weighted sum of the corrected numbers, with all that its variance takes. */
type Projection = {
  readonly sum: number;
  /** The weighted sum of each group. */
  readonly groups: ReadonlyMap<string, number>;
  /** For each judge, the weighted sums of D g and of D (1 − g), where D is what its verdict changes of the number. */
  readonly ofYes: Float64Array;
  readonly ofNo: Float64Array;
  /** For each judge, the sum of the squares of weighted D times g and 1 − g. */
  readonly squaresOfYes: Float64Array;
  readonly squaresOfNo: Float64Array;
};

function project(units: readonly JudgedUnit[], rates: readonly JudgeErrorRates[]): Projection {
  const zeros = () => new Float64Array(rates.length);
  const [ofYes, ofNo, squaresOfYes, squaresOfNo] = [zeros(), zeros(), zeros(), zeros()];
  const groups = new Map<string, number>();
  let sum = 0;
  for (const unit of units) {
    const { judges, said, weight, group } = unit;
    const shares = judges.map((judge, bit) => shareOf(rates[judge] as JudgeErrorRates, (said >> bit) & 1));
    const value = weight * expectationOf(unit.values, shares);
    sum += value;
    groups.set(group, (groups.get(group) ?? 0) + value);
    for (const [bit, judge] of judges.entries()) {
      const g = shares[bit] as number;
      const change = weight * changeOf(unit.values, shares, bit);
      ofYes[judge] = (ofYes[judge] as number) + change * g;
      ofNo[judge] = (ofNo[judge] as number) + change * (1 - g);
      squaresOfYes[judge] = (squaresOfYes[judge] as number) + change ** 2 * g;
      squaresOfNo[judge] = (squaresOfNo[judge] as number) + change ** 2 * (1 - g);
    }
  }
  return { sum, groups, ofYes, ofNo, squaresOfYes, squaresOfNo };
}

/** Returns g, whose expectation is 1 for an answer that people pass, and 0 for another. */
function shareOf(rates: JudgeErrorRates, said: number): number {
  return (said + rates.specificity.rate - 1) / powerOf(rates);
}

/** Returns Σ f(t) Π g or 1 − g. */
function expectationOf(values: readonly number[], shares: readonly number[]): number {
  let sum = 0;
  for (const [place, value] of values.entries()) {
    let weight = 1;
    for (const [bit, share] of shares.entries()) weight *= ((place >> bit) & 1) === 1 ? share : 1 - share;
    sum += weight * value;
  }
  return sum;
}

/** Returns by how much the expectation changes when people say yes in place of no to the question of one judge. */
function changeOf(values: readonly number[], shares: readonly number[], bit: number): number {
  const fixed = (given: number) =>
    expectationOf(
      values,
      shares.map((share, at) => (at === bit ? given : share)),
    );
  return fixed(1) - fixed(0);
}

type SpreadInput = {
  readonly options: MisclassifiedMeanOptions;
  readonly adjusted: Projection;
  readonly adjustedRates: readonly JudgeErrorRates[];
  readonly n: number;
  readonly z: number;
};

/** The centre of an interval, with its variance when the error rates are known, and what each rate contributes to it. */
type Spread = {
  readonly variance: number;
  readonly centre: number;
  /** For each judge, the means of D g and of D (1 − g). */
  readonly ofYes: readonly number[];
  readonly ofNo: readonly number[];
};

function spreadOf({ options, adjusted, adjustedRates, n, z }: SpreadInput): Spread {
  const { sizes, range = shareRange, isOfRun = false } = options;
  const [ofYes, ofNo] = [Array.from(adjusted.ofYes), Array.from(adjusted.ofNo)];
  const over = (total: number, sums: readonly number[]) => sums.map((sum) => sum / total);
  if (isOfRun) {
    const variance = Math.max(0, errorsInRun(adjusted, adjustedRates)) / n ** 2;
    return { variance, centre: adjusted.sum / n, ofYes: over(n, ofYes), ofNo: over(n, ofNo) };
  }
  // The greatest and the least value as the first judge would have said them, z² / 2 times each.
  const [first] = adjustedRates;
  const width = range.greatest - range.least;
  const shares = [1, 0].map((said) => (first === undefined ? said : shareOf(first, said)));
  const ends = shares.map((share) => range.least + share * width);
  const added = z ** 2 / 2;
  const total = n + 2 * added;
  for (const share of shares) {
    ofYes[0] = (ofYes[0] ?? 0) + added * width * share;
    ofNo[0] = (ofNo[0] ?? 0) + added * width * (1 - share);
  }
  const centre = (adjusted.sum + added * ((ends[0] ?? 0) + (ends[1] ?? 0))) / total;
  let squares = added * ends.reduce((sum, end) => sum + (end - centre) ** 2, 0);
  for (const [group, size] of sizes) squares += ((adjusted.groups.get(group) ?? 0) - size * centre) ** 2;
  const isClustered = sizes.size < n;
  const inflation = isClustered && sizes.size > 1 ? sizes.size / (sizes.size - 1) : 1;
  return {
    variance: (inflation * squares) / total ** 2,
    centre,
    ofYes: over(total, ofYes),
    ofNo: over(total, ofNo),
  };
}

/** Returns the variance of the sum that the errors of the judges on these very answers make. */
function errorsInRun({ squaresOfYes, squaresOfNo }: Projection, rates: readonly JudgeErrorRates[]): number {
  return rates.reduce((sum, each, judge) => {
    const { sensitivity, specificity } = each;
    const ofYes = (squaresOfYes[judge] as number) * sensitivity.rate * (1 - sensitivity.rate);
    const ofNo = (squaresOfNo[judge] as number) * specificity.rate * (1 - specificity.rate);
    return sum + (ofYes + ofNo) / powerOf(each) ** 2;
  }, 0);
}

function varianceOf({ rate, trials }: RateOfJudge): number {
  return (rate * (1 - rate)) / trials;
}

function varianceOfRates({ ofYes, ofNo }: Spread, rates: readonly JudgeErrorRates[]): number {
  return rates.reduce((sum, each, judge) => {
    const yes = (ofYes[judge] ?? 0) ** 2 * varianceOf(each.sensitivity);
    const no = (ofNo[judge] ?? 0) ** 2 * varianceOf(each.specificity);
    return sum + (yes + no) / powerOf(each) ** 2;
  }, 0);
}

function shiftOf({ ofYes, ofNo }: Spread, rates: readonly JudgeErrorRates[]): number {
  return rates.reduce((sum, { sensitivity, specificity }, judge) => {
    return sum + (ofYes[judge] ?? 0) * varianceOf(sensitivity) - (ofNo[judge] ?? 0) * varianceOf(specificity);
  }, 0);
}

function cautionOf({
  limits,
  rates,
  adjustedRates,
  variance,
  centre,
  range,
  z,
}: {
  readonly limits: { readonly lower: number; readonly upper: number };
  readonly rates: readonly JudgeErrorRates[];
  readonly adjustedRates: readonly JudgeErrorRates[];
  readonly variance: number;
  readonly centre: number;
  readonly range: Range;
  readonly z: number;
}): LabelCaution {
  const isShort = adjustedRates.some((each) => {
    const { sensitivity, specificity } = each;
    return powerOf(each) <= z * Math.sqrt(varianceOf(sensitivity) + varianceOf(specificity));
  });
  if (range !== shareRange) return isShort ? 'too-few-labels' : null;
  const disagreements = rates.reduce((sum, { sensitivity, specificity }) => {
    return sum + (1 - sensitivity.rate) * sensitivity.trials + (1 - specificity.rate) * specificity.trials;
  }, 0);
  return labelCautionOf({
    estimate: centre,
    ...limits,
    effectiveLabels: variance === 0 ? Infinity : (centre * (1 - centre)) / variance,
    // Rounded, so that whole numbers of labels stay whole.
    disagreements: Math.round(1e9 * disagreements) / 1e9,
    isShort,
  });
}
