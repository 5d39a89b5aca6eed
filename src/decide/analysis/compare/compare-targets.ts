import { uncategorized } from '../../../core/schema/case.ts';
import type { Estimate } from '../../../core/schema/estimate.ts';
import type { Outcome } from '../../../core/schema/result.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { TargetComparison } from '../../../core/schema/summary.ts';
import { createBoundedMeans } from '../../../core/stats/means/bounded-means.ts';
import {
  type ClusterNumbers,
  confidence,
  createClusterNumbers,
  createTruthCount,
  estimateMean,
  type Truths,
} from '../summary/estimates.ts';
import { adjustPValues, createDifferenceTally, mirrored, testDifferences } from './differences.ts';
import { betterOf, listCategoryMeasures, listMeasures, type Measure } from './comparison-measures.ts';

/**
 * Creates a comparison of a run's targets, paired by case, in memory that does not grow with the number of cases.
 * Outcomes are added in the order of the plan: all of a case, then all of the next.
 */
export function createTargetComparison(run: Run, categories: readonly string[]) {
  const targets = run.targets.map(({ name }) => name);
  if (targets.length < 2) return { add: (_: Outcome): void => {}, summarize: (): TargetComparison[] => [] };
  const places = new Map(targets.map((target, place) => [target, place]));
  const clusters = createClusterNumbers(run.dataset);
  const common = listMeasures(run).map((measure) => createTrack(measure, run, clusters));
  const ofCategories = listCategoryMeasures(run, categories).map((measure) =>
    createTrack(measure, run, createClusterNumbers(run.dataset)),
  );
  const byCategory = new Map(ofCategories.map((track) => [track.name, track]));
  let caseId: string | undefined;
  let ofCase: Outcome['case'] = {};

  const flush = () => {
    for (const track of common) track.endCase(ofCase);
    for (const track of open) track.endCase(ofCase);
    open.clear();
  };
  const open = new Set<Track>();

  return {
    add: (outcome: Outcome): void => {
      if (outcome.trial.caseId !== caseId) flush();
      caseId = outcome.trial.caseId;
      ofCase = outcome.case;
      const place = places.get(outcome.trial.target);
      if (place === undefined) return;
      for (const track of common) track.add(place, outcome);
      const ofCategory = byCategory.get(outcome.case.category ?? uncategorized);
      if (ofCategory === undefined) return;
      ofCategory.add(place, outcome);
      open.add(ofCategory);
    },
    /** Returns the comparisons; to be called once, after the last outcome. */
    summarize: (): TargetComparison[] => {
      flush();
      return correctBest([...common, ...ofCategories].map((track) => track.summarize()));
    },
  };
}

type Track = ReturnType<typeof createTrack>;

/** Creates the tally of one measure, which averages the attempts at a case for each target before adding the case. */
function createTrack(measure: Measure, run: Run, clusters: ClusterNumbers) {
  const targets = run.targets.map(({ name }) => name);
  const sums = new Float64Array(targets.length);
  const weights = new Float64Array(targets.length);
  const means = createPairedMeans(targets, run.attempts > 1);
  const truths = targets.map(createTruthCount);
  return {
    name: measure.name,
    add: (place: number, outcome: Outcome): void => {
      const value = measure.read(outcome);
      if (value === undefined) return;
      truths[place]?.add(value);
      const { weight = 1 } = outcome;
      sums[place] = (sums[place] as number) + weight * value;
      weights[place] = (weights[place] as number) + weight;
    },
    endCase: (ofCase: Outcome['case']): void => {
      means.add(
        targets.map((_, place) => {
          const weight = weights[place] as number;
          return weight === 0 ? undefined : (sums[place] as number) / weight;
        }),
        clusters.of(ofCase.cluster),
        clusters.weightOf(ofCase),
      );
      sums.fill(0);
      weights.fill(0);
    },
    summarize: (): TargetComparison => {
      const [unit, better] = [measure.unit(), betterOf(measure)];
      const named = { measure: measure.measure, name: measure.name, unit };
      const kind = { unit, truths: truths.map((count) => count.current()) };
      return { ...named, better, ...means.summarize(better, kind) };
    },
  };
}

/**
 * Corrects the p-values for the number of rows, by Holm's method as `touchstone compare` does: the first row, which
 * was chosen before looking at the data, on its own, and all others together. Only a row that is still below 5 %
 * names a best target.
 */
function correctBest(comparisons: readonly TargetComparison[]): TargetComparison[] {
  return [comparisons.slice(0, 1), comparisons.slice(1)].flatMap((family) => {
    const adjusted = adjustPValues(family, ({ pValue }) => pValue ?? null);
    const ofSigns = adjustPValues(family, ({ signPValue }) => signPValue ?? null);
    return family.map((comparison) => {
      const adjustedPValue = adjusted.get(comparison) ?? null;
      const isBeyond = adjustedPValue !== null && adjustedPValue < 1 - confidence;
      const best = isBeyond ? comparison.best : null;
      const isOnMost = best === null && (ofSigns.get(comparison) ?? 1) < 1 - confidence;
      return {
        ...comparison,
        adjustedPValue,
        best,
        ...(isOnMost && comparison.leader !== null && { bestOnMost: comparison.leader }),
      };
    });
  });
}

/**
 * The least number of cases for equal differences, which have no spread: from here on, an exact sign test gives them
 * less than 5 % by chance.
 */
const leastAlike = 6;

/** A pair of targets with the differences, first minus second, of the cases that both measured. */
interface Pair {
  readonly first: number;
  readonly second: number;
  readonly differences: ReturnType<typeof createDifferenceTally>;
}

/** The unit of values, and the counts of those that are all 0 or 1. */
interface MeasuredKind {
  /** The unit; undefined for values in [0, 1], where a missing value is bounded. */
  readonly unit: string | undefined;
  /** Counts for each target whose values are all 0 or 1. */
  readonly truths: readonly (Truths | undefined)[];
}

/**
 * Creates the means of several targets over the same cases and the means of their differences case by case, with the
 * intervals of `estimateMean` and `estimateDifference`.
 */
function createPairedMeans(targets: readonly string[], isRepeated: boolean) {
  const means = targets.map(() => createBoundedMeans());
  const pairs = pairsOf(targets.length, isRepeated);

  return {
    /** Adds a case: the value of every target, undefined if it has none, the number of the case's cluster, and its weight. */
    add: (values: readonly (number | undefined)[], cluster?: number, weight?: number): void => {
      for (const [place, value] of values.entries())
        if (value !== undefined) means[place]?.add(value, cluster, weight);
      for (const { first, second, differences } of pairs) {
        const [a, b] = [values[first], values[second]];
        if (a !== undefined && b !== undefined) differences.add([b, a], cluster, weight);
      }
    },

    summarize: (
      better: TargetComparison['better'],
      { unit, truths }: MeasuredKind,
    ): Pick<TargetComparison, 'means' | 'leader' | 'differences' | 'pValue' | 'signPValue' | 'best'> => {
      const estimates = means.map((mean, place) =>
        estimateMean({ moments: mean.current, interval: mean.interval, truths: () => truths[place] }, unit),
      );
      const leader = leaderOf(estimates, better);
      const others = targets.flatMap((target, place) =>
        place === leader || estimates[place]?.value === null
          ? []
          : [{ target, place, ...differenceOf(pairs, [leader, place], { unit, better }) }],
      );
      const isBest = others.every(({ place, difference }) => {
        const sign = better === 'lower' ? -1 : 1;
        const lower = clearance(difference, sign);
        if (unit !== undefined) return lower > 0;
        // Values that only one of the two measured are assumed to be at their worst for the leader.
        const onlyOne = (estimates[leader]?.n ?? 0) + (estimates[place]?.n ?? 0) - 2 * difference.n;
        // How much these weigh is not known here.
        if (difference.effectiveCases !== undefined && onlyOne > 0) return false;
        return lower * difference.n - onlyOne > 0;
      });
      const name = targets[leader] ?? null;
      return {
        means: estimates.map((estimate, place) => ({ target: targets[place] as string, ...estimate })),
        leader: name,
        differences: name === null ? [] : others.map(({ target, difference }) => ({ target, ...difference })),
        pValue: largestOf(others.map(({ pValue }) => pValue)),
        ...(unit === undefined && { signPValue: largestOf(others.map(({ signPValue }) => signPValue)) }),
        best: others.length > 0 && isBest ? name : null,
      };
    },
  };
}

function pairsOf(targets: number, isRepeated: boolean): Pair[] {
  const places = Array.from({ length: targets }, (_, place) => place);
  return places.flatMap((first) =>
    places
      .slice(first + 1)
      .map((second) => ({ first, second, differences: createDifferenceTally(isRepeated) })),
  );
}

/** Returns the place of the best mean, the first of equals; −1 when there is none. */
function leaderOf(estimates: readonly Estimate[], better: TargetComparison['better']): number {
  if (better === null) return -1;
  const sign = better === 'lower' ? -1 : 1;
  let leader = -1;
  let best = Number.NEGATIVE_INFINITY;
  for (const [place, { value }] of estimates.entries()) {
    if (value === null || sign * value <= best) continue;
    leader = place;
    best = sign * value;
  }
  return leader;
}

/** The difference of the leader from another target, with its tests. */
interface LeaderDifference {
  readonly difference: Estimate;
  readonly pValue: number | null;
  /** The p-value of as many questions above as below; null where most that differ are not the leader's. */
  readonly signPValue: number | null;
}

/** Tests the leader against another target as `touchstone compare` does, so that both print the same numbers. */
function differenceOf(
  pairs: readonly Pair[],
  [leader, other]: readonly [number, number],
  { unit, better }: Pick<MeasuredKind, 'unit'> & Pick<TargetComparison, 'better'>,
): LeaderDifference {
  const pair = pairs.find(
    ({ first, second }) => first === Math.min(leader, other) && second === Math.max(leader, other),
  );
  const differences = (pair?.differences ?? createDifferenceTally()).summarize();
  const { estimate, pValue, signPValue = null } = testDifferences(differences, unit);
  const isForward = leader < other;
  const { higher, lower } = differences;
  const [ahead, behind] = isForward === (better === 'higher') ? [higher, lower] : [lower, higher];
  return {
    pValue,
    signPValue: ahead > behind ? signPValue : null,
    difference: isForward ? estimate : mirrored(estimate),
  };
}

function largestOf(pValues: readonly (number | null)[]): number | null {
  const known = pValues.filter((pValue) => pValue !== null);
  return known.length === 0 || known.length < pValues.length ? null : Math.max(...known);
}

/**
 * Returns the distance from 0 of the interval of a difference, on the better side; at most 0 when the interval
 * contains 0.
 */
function clearance({ value, lower, upper, n }: Estimate, sign: number): number {
  if (lower !== null && upper !== null) return sign === 1 ? lower : -upper;
  return value === null || n < leastAlike ? 0 : sign * value;
}
