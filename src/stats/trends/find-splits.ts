import { createScan, nullMaxima, type WeightedSeries, type Window } from './scan-windows.ts';

/** How splits are looked for. */
export type Search = {
  readonly confidence: number;
  readonly resamples: number;
  readonly seed: string | number;
  /** A look after each of so many values, and no more, is what the level holds for. */
  readonly looks: number;
  /** The least size of noise that is estimated; null where the standard errors are the noise. */
  readonly leastNoise: number | null;
};

/** A split that holds, with its p-value corrected for the whole series. */
export type FoundSplit = { readonly index: number; readonly pValue: number };

type TestWindow = (window: Window) => FoundSplit & { readonly isHeld: boolean };

/**
 * The splits of a series in order: it is divided as long as a part holds a split, and each split is then tested once
 * more between its neighbours, since it was found while others were still undivided.
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

/** Each split between its neighbours, the first ones already in their new places. */
function settle(indices: readonly number[], end: number, test: TestWindow): ReturnType<TestWindow>[] {
  const settled: ReturnType<TestWindow>[] = [];
  for (const place of indices.keys()) {
    settled.push(test({ start: settled.at(-1)?.index ?? 0, end: indices[place + 1] ?? end }));
  }
  return settled;
}

/**
 * Tests the best split within a window against all that a series without a shift shows by the last of the looks. No
 * part of the series, and no look on the way, can then add to the chance of a mark.
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

/** The standard errors, and for the looks that are to come the middle one of them. */
function errorsUpTo(looks: number, { standardErrors }: WeightedSeries): number[] {
  const middle = standardErrors.toSorted()[standardErrors.length >> 1] as number;
  const toCome = Math.max(0, looks - standardErrors.length);
  return [...standardErrors, ...Array.from({ length: toCome }, () => middle)];
}

/** How many of some numbers in rising order are smaller than another one. */
function countBelow(rising: Float64Array, limit: number): number {
  const place = rising.findIndex((each) => each >= limit);
  return place === -1 ? rising.length : place;
}

/** Whether the values of a window are alike but for rounding, so that there is nothing to split. */
function isLevel({ values }: WeightedSeries, { start, end }: Window): boolean {
  const within = values.subarray(start, end);
  const [least, most] = [Math.min(...within), Math.max(...within)];
  return most - least <= 1e-12 * Math.max(Math.abs(least), Math.abs(most));
}
