import { createRandom, type Random } from '../random.ts';
import { createScan } from './scan-windows.ts';

/** Properties of simulated series without a shift. */
type NullSeries = {
  /** Standard errors of the values; 1 each when their common size is estimated. */
  readonly standardErrors: readonly number[];
  readonly isNoiseEstimated: boolean;
  readonly resamples: number;
  readonly seed: string | number;
};

/** The correlation of neighbours in simulated series whose noise is estimated. */
export const greatestCorrelation = 0.5;

const known = new Map<string, Float64Array>();
/** The most lengths of series that are cached. */
const mostKnown = 20;

/**
 * Returns the largest split statistics of simulated series of normal noise without a shift, in ascending order. When
 * the noise is estimated, neighbours are correlated by 0.5, which is conservative for independent values.
 */
export function nullMaxima(simulated: NullSeries): Float64Array {
  const { standardErrors, isNoiseEstimated, resamples, seed } = simulated;
  const first = standardErrors[0] as number;
  const isUniform = standardErrors.every((error) => error === first);
  if (!isUniform) return simulate(simulated);
  const key = JSON.stringify([standardErrors.length, isNoiseEstimated, resamples, seed]);
  const maxima = known.get(key) ?? simulate({ ...simulated, standardErrors: standardErrors.map(() => 1) });
  if (known.size >= mostKnown) known.clear();
  known.set(key, maxima);
  return maxima;
}

function simulate({ standardErrors, isNoiseEstimated, resamples, seed }: NullSeries): Float64Array {
  const random = createRandom(seed).fork('without a shift');
  const errors = Float64Array.from(standardErrors);
  const correlation = isNoiseEstimated ? greatestCorrelation : 0;
  const maxima = new Float64Array(resamples);
  for (let round = 0; round < resamples; round += 1) {
    const values = errors.map(correlatedNormals(random, correlation));
    const scan = createScan({ values, standardErrors: errors }, isNoiseEstimated ? 0 : null);
    maxima[round] = Math.abs(scan({ start: 0, end: values.length }).z);
  }
  return maxima.sort();
}

/** Returns a generator of a stationary autoregression of order one, scaled by the standard error of each value. */
function correlatedNormals(random: Random, correlation: number): (error: number) => number {
  let state = nextNormal(random);
  const fresh = Math.sqrt(1 - correlation ** 2);
  return (error) => {
    state = correlation * state + fresh * nextNormal(random);
    return error * state;
  };
}

/**
 * Draws a standard normal number.
 *
 * Method: G. E. P. Box & M. E. Muller, Annals of Mathematical Statistics 29 (1958).
 */
function nextNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log1p(-random.next())) * Math.cos(2 * Math.PI * random.next());
}
