/** Values in order, each with its standard error. */
export type WeightedSeries = {
  readonly values: Float64Array;
  /** Standard errors, or 1 each where only their common size is unknown. */
  readonly standardErrors: Float64Array;
};

/** The values from `start` up to, but not including, `end`. */
export type Window = { readonly start: number; readonly end: number };

/** Where a window falls apart best. */
export type Split = {
  /** The first value after the split. */
  readonly index: number;
  /** Weighted mean after the split minus the one before, in standard errors; signed. */
  readonly z: number;
};

/** Every way to split a window in two, in order, each side at least one value; weights are inverse variances. */
export function splitsOf({ values, standardErrors }: WeightedSeries, { start, end }: Window): Split[] {
  let [weightAfter, sumAfter] = [0, 0];
  for (let place = start; place < end; place += 1) {
    const weight = weightOf(standardErrors[place] as number);
    weightAfter += weight;
    sumAfter += weight * (values[place] as number);
  }
  const splits: Split[] = [];
  let [weightBefore, sumBefore] = [0, 0];
  for (let index = start + 1; index < end; index += 1) {
    const weight = weightOf(standardErrors[index - 1] as number);
    const weighted = weight * (values[index - 1] as number);
    weightBefore += weight;
    sumBefore += weighted;
    weightAfter -= weight;
    sumAfter -= weighted;
    const difference = sumAfter / weightAfter - sumBefore / weightBefore;
    const z = difference * Math.sqrt((weightBefore * weightAfter) / (weightBefore + weightAfter));
    splits.push({ index, z });
  }
  return splits;
}

/**
 * The split with the largest distance from 0; the first of equals. The window has two values or more. It makes no list
 * of all splits, since it is asked of every stretch of thousands of series.
 */
export function bestSplit({ values, standardErrors }: WeightedSeries, { start, end }: Window): Split {
  let [weight, sum] = [0, 0];
  for (let place = start; place < end; place += 1) {
    const own = weightOf(standardErrors[place] as number);
    weight += own;
    sum += own * (values[place] as number);
  }
  const mean = sum / weight;
  let [before, excess] = [0, 0];
  let [index, z] = [start + 1, 0];
  for (let place = start; place < end - 1; place += 1) {
    const own = weightOf(standardErrors[place] as number);
    before += own;
    excess -= own * ((values[place] as number) - mean);
    const found = excess * Math.sqrt(weight / (before * (weight - before)));
    if (Math.abs(found) > Math.abs(z)) [index, z] = [place + 1, found];
  }
  return { index, z };
}

/** Weighted mean of a window with its standard error. */
export function weightedMean(
  { values, standardErrors }: WeightedSeries,
  { start, end }: Window,
): { mean: number; standardError: number } {
  let [weights, sum] = [0, 0];
  for (let place = start; place < end; place += 1) {
    const weight = weightOf(standardErrors[place] as number);
    weights += weight;
    sum += weight * (values[place] as number);
  }
  return { mean: sum / weights, standardError: weights ** -0.5 };
}

/** The inverse of the variance. Two divisions: a power takes ten times as long. */
function weightOf(standardError: number): number {
  return 1 / standardError / standardError;
}
