import { noiseFromSteps } from './estimate-noise.ts';
import { splitPValue } from './split-p-value.ts';
import { bestSplit } from './split-window.ts';
import type { WeightedSeries, Window } from './split-window.ts';

/** How splits are looked for. */
export type Search = {
  readonly confidence: number;
  readonly resamples: number;
  readonly seed: string | number;
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

/** Tests the best split of a window at the share of the level that the window has of the values. */
function createTest(series: WeightedSeries, { confidence, leastNoise, ...simulation }: Search): TestWindow {
  const n = series.values.length;
  const isNoiseEstimated = leastNoise !== null;
  const scale = isNoiseEstimated ? Math.max(noiseFromSteps(series.values), leastNoise) : 1;
  return (window) => {
    const share = (window.end - window.start) / n;
    const { index, z } = bestSplit(series, window);
    if (isLevel(series, window)) return { index, pValue: 1, isHeld: false };
    const level = (1 - confidence) * share;
    const pValue = splitPValue(Math.abs(z) / scale, window, {
      ...simulation,
      series,
      isNoiseEstimated,
      level,
    });
    return { index, pValue: Math.min(1, pValue / share), isHeld: pValue <= level };
  };
}

/** Whether the values of a window are alike but for rounding, so that there is nothing to split. */
function isLevel({ values }: WeightedSeries, { start, end }: Window): boolean {
  const within = values.subarray(start, end);
  const [least, most] = [Math.min(...within), Math.max(...within)];
  return most - least <= 1e-12 * Math.max(Math.abs(least), Math.abs(most));
}
