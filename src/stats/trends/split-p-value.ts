import { createRandom } from '../random.ts';
import { noiseFromSteps } from './estimate-noise.ts';
import { bestSplit } from './split-window.ts';
import type { WeightedSeries, Window } from './split-window.ts';

/** How a split is held against series that have none. */
export type Simulation = {
  readonly series: WeightedSeries;
  readonly isNoiseEstimated: boolean;
  readonly resamples: number;
  readonly seed: string | number;
  /** p-values above it need not be exact: it ends early there. */
  readonly level: number;
};

/**
 * The chance that the best split of a window looks as good as `statistic` in series of normal noise without any shift:
 * (1 + series as good) / (1 + series). The chance depends on no unknown: noise that is estimated from the data is
 * estimated from every simulated series in the same way.
 */
export function splitPValue(statistic: number, window: Window, simulation: Simulation): number {
  const { series, isNoiseEstimated, resamples, seed, level } = simulation;
  const random = createRandom(seed).fork(`${window.start}-${window.end}`);
  const { standardErrors } = series;
  const values = new Float64Array(standardErrors.length);
  // Outside the window only the estimate of the noise would see the values.
  const drawn = isNoiseEstimated ? { start: 0, end: values.length } : window;
  let asGood = 0;
  for (let series = 1; series <= resamples; series += 1) {
    for (let place = drawn.start; place < drawn.end; place += 1) {
      values[place] = (standardErrors[place] as number) * nextNormal(random.next(), random.next());
    }
    const { z } = bestSplit({ values, standardErrors }, window);
    const noise = isNoiseEstimated ? noiseFromSteps(values) : 1;
    if (Math.abs(z) >= statistic * noise) asGood += 1;
    if (1 + asGood > level * (1 + resamples)) return (1 + asGood) / (1 + series);
  }
  return (1 + asGood) / (1 + resamples);
}

/** Method: G. E. P. Box & M. E. Muller, Annals of Mathematical Statistics 29 (1958). */
function nextNormal(one: number, other: number): number {
  return Math.sqrt(-2 * Math.log1p(-one)) * Math.cos(2 * Math.PI * other);
}
