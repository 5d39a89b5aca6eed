import { checkDomain } from '../check-domain.ts';
import { type Interval, defaultConfidence } from '../interval.ts';
import { wilsonInterval } from '../proportion-interval.ts';
import { knownValue, unknownValue, type ValueOrReason } from '../value-or-reason.ts';
import type { ScoredVerdicts } from './roc-auc.ts';

/**
 * The rule of bins: `equal-width` divides [0, 1] into intervals that contain their lower end (the last one both), and
 * `equal-count` the sorted scores into groups of nearly the same size, in which equal scores stay together.
 */
export type BinRule = 'equal-width' | 'equal-count';

/** The items whose scores are in one bin. */
export type ReliabilityBin = {
  readonly n: number;
  /** The ends of the bin, or the least and greatest score of a bin of equal count. */
  readonly from: number;
  readonly to: number;
  readonly meanScore: number;
  /** Share of people's yes. */
  readonly share: Interval;
};

/** The calibration of scores that claim to be probabilities. */
export type ScoreCalibration = {
  readonly n: number;
  /** The Brier score, mean (score − truth)²: 0 is best, 0.25 for a score that is always one half. */
  readonly brier: ValueOrReason;
  /** The expected calibration error; it depends on the bins, and is too large for few items. */
  readonly calibrationError: ValueOrReason;
  readonly rule: BinRule;
  /** The number of bins asked for. */
  readonly bins: number;
  /** The bins with items, by score: the points of a reliability plot. */
  readonly reliability: readonly ReliabilityBin[];
};

/**
 * Measures how far scores in [0, 1] are the chances of people's yes. Prefer the Brier score and the reliability plot to
 * the calibration error, and print its bin rule.
 *
 * Method: G. W. Brier, Monthly Weather Review 78 (1950); calibration error Σ n_b / n · |share − mean score| (M. P. Naeini
 * et al., AAAI 2015); Wilson's interval for the share of each bin.
 *
 * @throws RangeError when the lists differ in length, a score is not in [0, 1], or `bins` is not a whole number above 0.
 */
export function scoreCalibration(
  options: ScoredVerdicts & {
    /** The number of bins, 10 by default. */
    readonly bins?: number;
    /** `equal-width` by default. */
    readonly rule?: BinRule;
    /** Confidence level, strictly between 0 and 1; 0.95 by default. */
    readonly confidence?: number;
  },
): ScoreCalibration {
  const { scores, truth, bins = 10, rule = 'equal-width', confidence = defaultConfidence } = options;
  checkDomain(truth.length === scores.length, 'truth.length', truth.length, `${scores.length}`);
  checkDomain(Number.isInteger(bins) && bins > 0, 'bins', bins, 'a whole number above 0');
  const items = scores.map((score, place) => {
    checkDomain(score >= 0 && score <= 1, `score ${place + 1}`, score, 'from 0 to 1');
    return { score, isTrue: truth[place] === true };
  });
  const n = items.length;
  const groups = rule === 'equal-width' ? binsOfWidth(items, bins) : binsOfCount(items, bins);
  const reliability = groups.map(({ from, to, members }) => ({
    n: members.length,
    from,
    to,
    meanScore: members.reduce((sum, { score }) => sum + score, 0) / members.length,
    share: wilsonInterval({
      successes: members.filter(({ isTrue }) => isTrue).length,
      trials: members.length,
      confidence,
    }),
  }));
  const basis = { n, rule, bins, reliability };
  if (n === 0) {
    const unknown = unknownValue('no items', 0);
    return { ...basis, brier: unknown, calibrationError: unknown };
  }
  const squares = items.reduce((sum, { score, isTrue }) => sum + (score - Number(isTrue)) ** 2, 0);
  const gaps = reliability.reduce(
    (sum, bin) => sum + bin.n * Math.abs((bin.share.estimate as number) - bin.meanScore),
    0,
  );
  return { ...basis, brier: knownValue(squares / n, n), calibrationError: knownValue(gaps / n, n) };
}

type Item = { readonly score: number; readonly isTrue: boolean };
type Bin = { readonly from: number; readonly to: number; readonly members: readonly Item[] };

function binsOfWidth(items: readonly Item[], bins: number): Bin[] {
  const groups = Map.groupBy(items, ({ score }) => placeOfWidth(score, bins));
  return [...groups]
    .sort(([a], [b]) => a - b)
    .map(([place, members]) => ({ from: place / bins, to: (place + 1) / bins, members }));
}

/** Returns the bin whose ends, as doubles, contain the score: `score * bins` can be a whole number just by rounding. */
function placeOfWidth(score: number, bins: number): number {
  const place = Math.min(bins - 1, Math.floor(score * bins));
  if (score < place / bins) return place - 1;
  return place < bins - 1 && score >= (place + 1) / bins ? place + 1 : place;
}

function binsOfCount(items: readonly Item[], bins: number): Bin[] {
  const sorted = items.toSorted((a, b) => a.score - b.score);
  const found: Item[][] = [];
  let from = 0;
  for (let bin = 1; bin <= bins; bin += 1) {
    let to = Math.max(from, Math.round((bin * sorted.length) / bins));
    while (to > from && to < sorted.length && sorted[to]?.score === sorted[to - 1]?.score) to += 1;
    if (to > from) found.push(sorted.slice(from, to));
    from = to;
  }
  return found.map((members) => ({
    from: members[0]?.score ?? 0,
    to: members.at(-1)?.score ?? 1,
    members,
  }));
}
