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

/** Returns the largest split of a window at any look, each searched by itself. */
function largestOfAll({ start, end }: Window, seriesAt: (look: Window) => WeightedSeries): number {
  let largest = 0;
  for (let last = start + 2; last <= end; last += 1) {
    const look = { start, end: last };
    for (const { z } of splitsOf(seriesAt(look), look)) largest = Math.max(largest, Math.abs(z));
  }
  return largest;
}

/** Returns the values of a look in sizes of the noise around its median, limited to the farthest that counts. */
function clippedAt({ start, end }: Window, values: Float64Array): WeightedSeries {
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

test.each([null, 0.01])('the best split is the largest at any look (least noise %s)', (leastNoise) => {
  for (const each of series) {
    const end = each.values.length;
    const window = { start: random.integer(end - 9), end };
    const seriesAt = (look: Window) => (leastNoise === null ? each : clippedAt(look, each.values));
    expect(Math.abs(createScan(each, leastNoise)(window).z)).toBeCloseTo(largestOfAll(window, seriesAt), 9);
  }
});
