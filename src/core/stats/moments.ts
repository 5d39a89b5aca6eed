import { checkDomain } from './check-domain.ts';
import { lostBy } from './compensated-sum.ts';

/** Count, mean and spread of values. */
export type Moments = {
  readonly n: number;
  /** 0 before the first value. */
  readonly mean: number;
  /** The sum of squared distances from the mean. */
  readonly squares: number;
};

/** A collector of values, one at a time, in constant memory. */
export type MomentsAccumulator = {
  /**
   * Adds a value.
   * @throws RangeError when the value is not finite.
   */
  add(value: number): void;
  /** Returns the moments of the values added so far. */
  current(): Moments;
};

/**
 * Starts an empty accumulator. A million values keep a relative error near 1e-15, in any order and however far they lie
 * from 0, as long as their spread squared is a normal double (about 1e-150 to 1e150).
 *
 * Method: B. P. Welford's update of the sum of squares, Technometrics 4 (1962), about the first value, with Neumaier's
 * compensated sums.
 */
export function createMoments(): MomentsAccumulator {
  // Variables of the closure would be new heap objects at every change, and separate sums would cost calls.
  const state = { n: 0, origin: 0, mean: 0, sum: 0, sumLost: 0, squares: 0, squaresLost: 0 };
  return {
    add: (value) => {
      // The name of the argument is not built for each of a million values.
      if (!Number.isFinite(value)) checkDomain(false, `value ${state.n + 1}`, value, 'finite');
      state.n += 1;
      if (state.n === 1) state.origin = value;
      const distance = value - state.origin;
      state.sumLost += lostBy(state.sum, distance);
      state.sum += distance;
      const mean = (state.sum + state.sumLost) / state.n;
      const square = (distance - state.mean) * (distance - mean);
      state.mean = mean;
      state.squaresLost += lostBy(state.squares, square);
      state.squares += square;
    },
    current: () => ({
      n: state.n,
      mean: state.origin + state.mean,
      squares: Math.max(0, state.squares + state.squaresLost),
    }),
  };
}

/** Returns the moments of all values. Equal values have exactly their value as mean and exactly no spread. */
export function momentsOf(values: Iterable<number>): Moments {
  const moments = createMoments();
  for (const value of values) {
    moments.add(value);
  }
  return moments.current();
}

/** Returns the sample variance, with n − 1; NaN for fewer than two values. */
export function varianceOf({ n, squares }: Moments): number {
  return n < 2 ? Number.NaN : squares / (n - 1);
}
