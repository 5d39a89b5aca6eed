import { checkConfidence, checkDomain } from '../check-domain.ts';
import { groupByCluster } from '../cluster-interval.ts';
import { findRoot } from '../find-root.ts';
import { defaultConfidence, type Interval, undefinedInterval } from '../interval.ts';
import { normalQuantile } from '../normal.ts';
import { chanceBelowZero } from './chance-below-zero.ts';
import { type Group, namedClusters } from './clustered-moments.ts';
import { collectWeighted, type WeightedValues } from './weighted-values.ts';

/** Values with a known least and greatest possible value. */
export type BoundedValues = {
  readonly values: readonly number[];
  /**
   * The cluster of each value, at the same positions: a source document, a conversation. Values of one cluster depend
   * on each other.
   */
  readonly clusters?: readonly (string | number)[];
  /** The weight of each value, at the same positions; only their ratios matter. Each counts once by default. */
  readonly weights?: readonly number[];
  /** The least and the greatest possible value; [0, 1] by default. */
  readonly range?: readonly [number, number];
  /** The confidence of each of the two bounds by itself, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
};

/** The rounding error by which means of bounded values may lie outside the range, relative to the range. */
const ROUNDING = 1e-9;
/**
 * The number of different values above which each counts as the next lower multiple of 1 / GRID, which only lowers a
 * bound.
 */
export const MOST_DIFFERENT = 2_000;
export const GRID = 2_000;

/**
 * Returns two one-sided bounds of the mean of bounded values, for gates: they need no normal distribution, so a few
 * rare failures that were not seen do not make them wrong. For values that are all 0 or 1 they are Clopper and
 * Pearson's; for n equal values they are the bounds that n such values leave open. With clusters, whole clusters are
 * counted, and an unseen cluster may be as large as the largest. A value of another weight counts as a cluster of that
 * size: the bounds hold for the mean over a population in which each value occurs in proportion to its weight.
 *
 * Method: N. Gaffke, "Three test statistics for a nonparametric one-sided hypothesis on the mean of a nonnegative
 * variable", Mathematical Methods of Statistics 14 (2005), as a bound: Learned-Miller & Thomas, arXiv:1905.06208. The
 * mass between neighbouring values is distributed like uniform spacings; the bound is the quantile of the mean that they make
 * with one more value at the end of the range. Its error rate is proved for few cases and was right in every simulation
 * so far; ours are in `docs/intervals.md`.
 *
 * @throws RangeError when lists differ in length, a value lies outside the range, the range is empty, or the confidence
 * is not strictly between 0 and 1.
 */
export function boundedMeanBounds(options: BoundedValues): Interval {
  const { values, clusters, weights, range = [0, 1], confidence = defaultConfidence } = options;
  checkConfidence(confidence);
  checkRange(range);
  const weighted = weights && collectWeighted({ values, clusters, weights }).current();
  if (weighted !== undefined) return boundsOfWeighted(weighted, { values, range, confidence });
  const shares = values.map((value, place) => checkedShare(value, range, place));
  const groups =
    clusters === undefined
      ? shares.map((sum) => ({ sum, size: 1, count: 1 }))
      : groupByCluster(shares, clusters).map(({ sum, size }) => ({
          sum: Math.min(sum, size),
          size,
          count: 1,
        }));
  const mean = groups.reduce((total, { sum }) => total + sum, 0) / values.length;
  return boundsOfGroups(groupsOnGrid(groups), {
    n: values.length,
    ...(clusters !== undefined && { clusters: groups.length }),
    mean: values.length === 0 ? null : range[0] + (range[1] - range[0]) * mean,
    range,
    confidence,
  });
}

function boundsOfWeighted(
  weighted: WeightedValues,
  { values, range, confidence }: Required<Pick<BoundedValues, 'values' | 'range' | 'confidence'>>,
): Interval {
  for (const [place, value] of values.entries()) checkedShare(value, range, place);
  const { n, mean, spread } = weighted.moments();
  const groups = groupsOnGrid(weighted.groups(range));
  return boundsOfGroups(groups, { n, ...namedClusters(spread), mean, range, confidence });
}

/**
 * Returns the two-sided interval that {@link boundedMeanBounds} make together, each at half of the error: the one to
 * report next to the mean of scores.
 *
 * @throws RangeError as {@link boundedMeanBounds} does.
 */
export function boundedMeanInterval(options: BoundedValues): Interval {
  const { confidence = defaultConfidence } = options;
  checkConfidence(confidence);
  return { ...boundedMeanBounds({ ...options, confidence: (1 + confidence) / 2 }), confidence };
}

/** Checks a range. @throws RangeError when it is empty or infinite. */
export function checkRange([low, high]: readonly [number, number]): void {
  checkDomain(high > low && high - low < Infinity, 'range', high - low, 'a least value below a greatest one');
}

/** Groups as the lower bound reads them, and as the upper bound does: each sum taken from its size. */
export type MirroredGroups = { readonly up: readonly Group[]; readonly down: readonly Group[] };

/** The properties of the mean of groups that an interval states. */
type GroupsBasis = {
  readonly n: number;
  readonly clusters?: number;
  /** The mean in the unit of the range; null without values. */
  readonly mean: number | null;
  readonly range: readonly [number, number];
  /** The confidence of each of the two bounds by itself. */
  readonly confidence: number;
};

/** Returns the bounds of the mean of groups. */
export function boundsOfGroups({ up, down }: MirroredGroups, basis: GroupsBasis): Interval {
  const { mean, range, ...rest } = basis;
  const named = { ...rest, method: 'gaffke' } as const;
  if (mean === null) return undefinedInterval({ ...named, estimate: null, reason: 'no values' });
  const [low, high] = range;
  const tail = 1 - basis.confidence;
  return {
    ...named,
    status: 'defined',
    estimate: mean,
    // Rounding must not put a bound on the wrong side of the mean.
    lower: Math.min(mean, low + (high - low) * lowerShare(up, tail)),
    upper: Math.max(mean, low + (high - low) * (1 - lowerShare(down, tail))),
  };
}

/**
 * Returns the chances that the bounds of the mean of groups leave to a share of the range: the one-sided p-values of
 * "the mean is at most this" and of "it is at least this".
 */
export function chancesOfShare(
  { up, down }: MirroredGroups,
  share: number,
): { readonly above: number; readonly below: number } {
  return { above: chanceOf(up, share), below: chanceOf(down, 1 - share) };
}

/** Returns a value as a share of a range; undefined outside of it. */
export function shareOf(value: number, [low, high]: readonly [number, number]): number | undefined {
  const share = (value - low) / (high - low);
  return share >= -ROUNDING && share <= 1 + ROUNDING ? Math.min(1, Math.max(0, share)) : undefined;
}

function checkedShare(value: number, range: readonly [number, number], place: number): number {
  const share = shareOf(value, range);
  if (share === undefined) checkDomain(false, `value ${place + 1}`, value, `from ${range[0]} to ${range[1]}`);
  return share ?? Number.NaN;
}

/** Counts equal groups together, the least first; among very many different ones, also groups that differ by less than 1 / GRID. */
export function groupsOnGrid(groups: readonly Group[]): MirroredGroups {
  const mirrored = groups.map(({ sum, size, count }) => ({ sum: size - sum, size, count }));
  return { up: kindsOf(groups), down: kindsOf(mirrored) };
}

function kindsOf(groups: readonly Group[]): Group[] {
  const kinds = countEqual(groups);
  if (kinds.length <= MOST_DIFFERENT) return kinds;
  return countEqual(groups.map((group) => ({ ...group, sum: Math.floor(group.sum * GRID) / GRID })));
}

function countEqual(groups: readonly Group[]): Group[] {
  const kinds = new Map<string | number, { sum: number; size: number; count: number }>();
  for (const { sum, size, count } of groups) {
    const key = size === 1 ? sum : `${sum} ${size}`;
    const kind = kinds.get(key);
    if (kind === undefined) kinds.set(key, { sum, size, count });
    else kind.count += count;
  }
  // In one order, so that the last digit does not depend on which group came first.
  return [...kinds.values()].sort((one, other) => one.sum - other.sum || one.size - other.size);
}

/** Returns the chance that spacings make a mean of the groups, and of one unseen group of nothing, of at most `mean`. */
function chanceOf(groups: readonly Group[], mean: number): number {
  const largest = groups.reduce((most, { size }) => Math.max(most, size), 0);
  return chanceBelowZero([
    ...groups.map(({ sum, size, count }) => ({ weight: sum - size * mean, count })),
    { weight: -largest * mean, count: 1 },
  ]);
}

/** Returns the mean of shares in [0, 1] below which the observed shares would be at most as unlikely as the tail. */
function lowerShare(groups: readonly Group[], tail: number): number {
  if (groups.every(({ sum }) => sum === 0)) return 0;
  const chance = (mean: number) => chanceOf(groups, mean);
  return (
    solveByNormal(groups, tail, chance) ?? findRoot({ low: 0, high: 1, of: (mean) => chance(mean) - tail })
  );
}

const MOST_STEPS = 10;
/** The length of a step after which the next one adds nothing to the digits of a double. */
const SHORT_STEP = 1e-9;

/**
 * Finds the mean with a chance by the secant method on normal quantiles, which are nearly a straight line: three to five
 * chances instead of fifteen. Returns undefined where it does not settle.
 */
function solveByNormal(
  groups: readonly Group[],
  tail: number,
  chance: (mean: number) => number,
): number | undefined {
  const [mean, deviation] = momentsOfGroups(groups);
  const aim = normalQuantile(tail);
  let [low, high] = [0, mean];
  let at = Math.max(mean / 2, mean + aim * deviation);
  let [slope, last, step] = [1 / deviation, Number.NaN, Number.NaN];
  for (let turn = 0; turn < MOST_STEPS; turn += 1) {
    const found = chance(at);
    if (!(found > 0 && found < 1)) return undefined;
    const quantile = normalQuantile(found);
    if (quantile < aim) low = at;
    else high = at;
    if (turn > 0) slope = (quantile - last) / step;
    last = quantile;
    step = (aim - quantile) / slope;
    // A step that leaves what is known of the mean goes half of the way.
    if (!(at + step > low && at + step < high)) step = (quantile < aim ? high - at : low - at) / 2;
    at += step;
    if (Math.abs(step) < SHORT_STEP) return at;
  }
  return undefined;
}

/** Returns the mean of the groups and of an unseen one of nothing, and about its standard error. */
function momentsOfGroups(groups: readonly Group[]): readonly [number, number] {
  let [sum, size, largest, squares] = [0, 0, 0, 0];
  for (const group of groups) {
    sum += group.count * group.sum;
    size += group.count * group.size;
    largest = Math.max(largest, group.size);
  }
  size += largest;
  const mean = sum / size;
  for (const group of groups) squares += group.count * (group.sum - group.size * mean) ** 2;
  return [mean, Math.sqrt(squares + (largest * mean) ** 2) / size];
}
