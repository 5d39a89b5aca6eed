import { nullMaxima } from './null-maxima.ts';
import { createScan, type WeightedSeries, type Window } from './scan-windows.ts';

/** Options of the search for splits. */
export type Search = {
  readonly confidence: number;
  readonly resamples: number;
  readonly seed: string | number;
  /** The number of values with a look after each for which the level is valid. */
  readonly looks: number;
  /** The least size of estimated noise; null when the standard errors are the noise. */
  readonly leastNoise: number | null;
};

/** A significant split, with its p-value corrected for the whole series. */
export type FoundSplit = { readonly index: number; readonly pValue: number };

type TestWindow = (window: Window) => FoundSplit & { readonly isHeld: boolean };

/**
 * Returns the splits of a series in order: the series is divided as long as a part contains a split, and each split is
 * then tested again between its neighbours, because it was found while other parts were still undivided.
 */
export function findSplits(series: WeightedSeries, search: Search): FoundSplit[] {
  const test = createTest(series, search);
  let indices = divide({ start: 0, end: series.values.length }, test);
  for (;;) {
    const settled = settle(indices, series.values.length, test);
    const doubts = settled.map(({ isHeld, pValue }) => (isHeld ? 0 : pValue));
    const weakest = doubts.indexOf(Math.max(...doubts));
    if (doubts.every((doubt) => doubt === 0)) return settled.map(({ index, pValue }) => ({ index, pValue }));
    indices = settled.map(({ index }) => index).toSpliced(weakest, 1);
  }
}

function divide(window: Window, test: TestWindow): number[] {
  if (window.end - window.start < 2) return [];
  const { index, isHeld } = test(window);
  if (!isHeld) return [];
  return [
    ...divide({ start: window.start, end: index }, test),
    index,
    ...divide({ start: index, end: window.end }, test),
  ];
}

/** Tests each split again between its neighbours, the first ones already in their new places. */
function settle(indices: readonly number[], end: number, test: TestWindow): ReturnType<TestWindow>[] {
  const settled: ReturnType<TestWindow>[] = [];
  for (const place of indices.keys()) {
    settled.push(test({ start: settled.at(-1)?.index ?? 0, end: indices[place + 1] ?? end }));
  }
  return settled;
}

/**
 * Creates a test of the best split within a window against the most extreme splits of series without a shift by the
 * last of the looks. No part of the series, and no earlier look, can then add to the chance of a false mark.
 */
function createTest(series: WeightedSeries, search: Search): TestWindow {
  const { confidence, leastNoise, resamples, seed } = search;
  const scan = createScan(series, leastNoise);
  const isNoiseEstimated = leastNoise !== null;
  const standardErrors = errorsUpTo(search.looks, series);
  const maxima = nullMaxima({ standardErrors, isNoiseEstimated, resamples, seed });
  return (window) => {
    if (isLevel(series, window)) return { index: window.start + 1, pValue: 1, isHeld: false };
    const { index, z } = scan(window);
    const asGood = maxima.length - countBelow(maxima, Math.abs(z));
    const pValue = (1 + asGood) / (1 + resamples);
    return { index, pValue, isHeld: pValue <= 1 - confidence };
  };
}

/** Returns the standard errors; future looks have the median one. */
function errorsUpTo(looks: number, { standardErrors }: WeightedSeries): number[] {
  const middle = standardErrors.toSorted()[standardErrors.length >> 1] as number;
  const toCome = Math.max(0, looks - standardErrors.length);
  return [...standardErrors, ...Array.from({ length: toCome }, () => middle)];
}

/** Counts the numbers, in ascending order, that are smaller than a limit. */
function countBelow(rising: Float64Array, limit: number): number {
  const place = rising.findIndex((each) => each >= limit);
  return place === -1 ? rising.length : place;
}

/** Returns whether the values of a window are equal but for rounding, so that there is nothing to split. */
function isLevel({ values }: WeightedSeries, { start, end }: Window): boolean {
  const within = values.subarray(start, end);
  const [least, most] = [Math.min(...within), Math.max(...within)];
  return most - least <= 1e-12 * Math.max(Math.abs(least), Math.abs(most));
}
