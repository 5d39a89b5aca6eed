import { expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import {
  createScan,
  farthest,
  medianOfSorted,
  noiseFromSteps,
  splitsOf,
  type WeightedSeries,
  type Window,
} from './scan-windows.ts';

/** Returns the largest split of all ranges of a window, each searched by itself. */
function largestOfAll({ start, end }: Window, seriesOf: (range: Window) => WeightedSeries): number {
  let largest = 0;
  for (let last = start + 2; last <= end; last += 1) {
    for (let first = last - 2; first >= start; first -= 1) {
      const range = { start: first, end: last };
      for (const { z } of splitsOf(seriesOf(range), range)) largest = Math.max(largest, Math.abs(z));
    }
  }
  return largest;
}

/** Returns the values of a range in sizes of the noise around its median, limited to the farthest that counts. */
function clippedIn({ start, end }: Window, values: Float64Array): WeightedSeries {
  const size = noiseFromSteps(values, 0.01)[end] as number;
  const middle = medianOfSorted([...values.slice(start, end).sort()]);
  const near = values.map((value) => Math.min(farthest, Math.max(-farthest, (value - middle) / size)));
  return { values: near, standardErrors: new Float64Array(values.length).fill(1) };
}

const random = createRandom('series');
/** Noise, with a shift in every second series, ties in every third, and an outlier in every fifth. */
const series = Array.from({ length: 60 }, (_, number): WeightedSeries => {
  const length = 10 + random.integer(20);
  const values = Float64Array.from({ length }, (__, place) => {
    const value = random.next() + (number % 2 === 0 && place > length / 2 ? 0.7 : 0);
    return number % 3 === 0 ? Math.round(value * 4) / 4 : value;
  });
  if (number % 5 === 0) values[random.integer(length)] = 50;
  return { values, standardErrors: Float64Array.from({ length }, () => 0.1 + random.next()) };
});
const windows = series.map((each): [Window, WeightedSeries] => {
  const end = each.values.length;
  return [{ start: random.integer(end - 9), end }, each];
});

test('with given noise the best split is that of all ranges, of which most are not searched', () => {
  for (const [window, each] of windows) {
    expect(Math.abs(createScan(each, null)(window).z)).toBeCloseTo(
      largestOfAll(window, () => each),
      9,
    );
  }
});

test('with estimated noise the best split is that of all ranges around their medians', () => {
  for (const [window, each] of windows) {
    const largest = largestOfAll(window, (range) => clippedIn(range, each.values));
    expect(Math.abs(createScan(each, 0.01)(window).z)).toBeCloseTo(largest, 9);
  }
});
