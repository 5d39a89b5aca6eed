import { TouchstoneError } from '../../../core/errors.ts';
import { didYouMean } from '../../../core/lib/text/nearest-name.ts';
import { uncategorized } from '../../../core/schema/case.ts';
import type { Weights } from '../../../core/schema/estimate.ts';
import type { CaseNames } from '../../../core/schema/result.ts';
import type { Run } from '../../../core/schema/run.ts';
import type { CategorySummary, WeightedSummary } from '../../../core/schema/summary.ts';
import { weightedShares } from '../../../core/stats/means/stratified-mean.ts';
import type { Interval } from '../../../core/stats/interval.ts';
import type { ClusteredMoments } from '../../../core/stats/means/clustered-moments.ts';
import type { Store } from '../../../stores/store.ts';
import { confidence, intervalOfShare, type MeasuredValues, toEstimate, withinRange } from './estimates.ts';

/** The values of the trials of a category. */
export interface CategoryValues {
  readonly category: CategorySummary['category'];
  readonly scores: MeasuredValues;
  readonly passes: MeasuredValues;
}

/**
 * Computes the mean score and the pass rate with each category counted by its weight. A category without measured
 * values makes them unknown and is named.
 */
export function weightCategories(
  { category: weights }: Weights,
  categories: readonly CategoryValues[],
): WeightedSummary {
  const total = Object.values(weights).reduce((sum, weight) => sum + weight, 0);
  const counted = Object.entries(weights).filter(([, weight]) => weight > 0);
  const strataOf = (kind: 'scores' | 'passes') =>
    counted.map(([name, weight]) => ({
      name,
      weight,
      values: categories.find(({ category }) => category === name)?.[kind],
    }));
  return {
    score: estimateWeighted(strataOf('scores')),
    passRate: estimateWeighted(strataOf('passes')),
    categories: Object.fromEntries(counted.map(([name, weight]) => [name, weight / total])),
  };
}

interface WeightedValues {
  readonly name: string;
  readonly weight: number;
  /** Undefined for a category without values. */
  readonly values: MeasuredValues | undefined;
}

/**
 * Estimates a weighted mean by the intervals of each category: Wilson's where all values are passes or failures,
 * otherwise Gaffke's.
 */
function estimateWeighted(strata: readonly WeightedValues[]): WeightedSummary['score'] {
  const counts = strata.map(({ values }) => values?.moments().n ?? 0);
  const missing = strata[counts.indexOf(0)];
  if (missing !== undefined) {
    const reason = `nothing of the category ${missing.name} was measured`;
    const n = counts.reduce((sum, count) => sum + count, 0);
    return { value: null, lower: null, upper: null, n, confidence, method: 'stratified-gaffke', reason };
  }
  const areTruths = strata.every(({ values }) => values?.truths() !== undefined);
  const shares = strata.map(({ weight, values }) => ({ weight, share: shareOf(values, areTruths) }));
  return withinRange(toEstimate(weightedShares(shares)), [0, 1]);
}

function shareOf(values: MeasuredValues | undefined, isTruth: boolean): Interval {
  const share = isTruth ? undefined : values?.interval(confidence);
  return share ?? intervalOfShare(values?.moments() ?? nothing, values?.truths());
}

const nothing: ClusteredMoments = { n: 0, mean: Number.NaN, squares: 0 };

/**
 * Checks that each category of a dataset has a weight.
 * @throws TouchstoneError `config-invalid`, with a suggestion for a misspelt name.
 */
export function checkWeights(
  weights: Weights | undefined,
  categories: readonly { readonly category: string; readonly cases: number }[],
): void {
  if (weights === undefined) return;
  const known = Object.keys(weights.category);
  const unknown = categories.filter(({ category }) => !known.includes(category));
  const [first] = unknown;
  if (first === undefined) return;
  const names = unknown.map(({ category, cases }) => `"${category}" (${cases})`).join(', ');
  const hint = didYouMean(
    first.category,
    known.filter((name) => !categories.some(({ category }) => category === name)),
  );
  throw new TouchstoneError(
    'config-invalid',
    `weights.category: no weight for ${names}. Give each category of the dataset one, 0 to leave it out.${hint}`,
  );
}

/** Counts the cases of each category, in the order of first occurrence. It adds to the given counts. */
export function countCategories(
  cases: Iterable<Pick<CaseNames, 'category'>>,
  counts = new Map<string, number>(),
): Map<string, number> {
  for (const { category = uncategorized } of cases) counts.set(category, (counts.get(category) ?? 0) + 1);
  return counts;
}

/**
 * Returns the number of planned cases of each category of a run. If an older version did not record them, its cases
 * are read.
 */
export async function plannedCategories(
  { id, dataset: { categories } }: Pick<Run, 'id' | 'dataset'>,
  store: Pick<Store, 'readCaseNames'>,
): Promise<Map<string, number>> {
  if (categories !== undefined) return new Map(categories.map(({ category, cases }) => [category, cases]));
  const counts = new Map<string, number>();
  for await (const names of store.readCaseNames(id)) countCategories(names, counts);
  return counts;
}
