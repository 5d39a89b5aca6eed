import { farthest, insertSorted, medianOfSorted, noiseFromSteps } from './estimate-noise.ts';
import { bestSplit } from './split-window.ts';
import type { Split, WeightedSeries, Window } from './split-window.ts';

/** Finds the split of any part of a window that stands out most. */
export type Scan = (window: Window) => Split;

/**
 * Looks through every stretch of neighbouring values for the split with the largest difference of means, in standard
 * errors. Each stretch is judged by what was known when its last value came, so what was seen once is seen again when
 * more values follow, and a shift back does not hide a shift.
 *
 * Method: all intervals of wild binary segmentation (P. Fryzlewicz, Annals of Statistics 42 (2014)).
 */
export function createScan(series: WeightedSeries, leastNoise: number | null): Scan {
  if (leastNoise === null) return (window) => scan(window, (stretch) => bestSplit(series, stretch));
  const { values } = series;
  const noise = noiseFromSteps(values, leastNoise);
  const clipped = {
    values: new Float64Array(values.length),
    standardErrors: new Float64Array(values.length).fill(1),
  };
  return (window) => {
    let sorted: number[] = [];
    return scan(window, (stretch) => {
      const { start, end } = stretch;
      if (end - start === 2) sorted = [values[end - 1] as number];
      insertSorted(sorted, values[start] as number);
      const size = noise[end] as number;
      if (size === Infinity) return noSplit(start);
      const middle = medianOfSorted(sorted);
      for (let place = start; place < end; place += 1) {
        clipped.values[place] = clip((values[place] as number) - middle, size);
      }
      return bestSplit(clipped, stretch);
    });
  };
}

const noSplit = (start: number): Split => ({ index: start + 1, z: 0 });

/** A distance in sizes of the noise, cut off so that a single value that is far out does not look like a shift. */
function clip(distance: number, size: number): number {
  if (Math.abs(distance) >= farthest * size) return Math.sign(distance) * farthest;
  return distance / size;
}

/** The stretches with one end in turn, the shortest first. */
function scan({ start, end }: Window, splitOf: (stretch: Window) => Split): Split {
  let best = noSplit(start);
  for (let last = start + 2; last <= end; last += 1) {
    for (let first = last - 2; first >= start; first -= 1) {
      const split = splitOf({ start: first, end: last });
      if (Math.abs(split.z) > Math.abs(best.z)) best = split;
    }
  }
  return best;
}
