import { checkConfidence, checkDomain } from './check-domain.ts';
import { createCompensatedSum } from './compensated-sum.ts';
import { undefinedInterval } from './interval.ts';
import type { Interval } from './interval.ts';
import { studentTQuantile } from './student-t.ts';

/** Collects values one at a time, in constant memory, and gives the interval of their mean at any moment. */
export type MeanAccumulator = {
  /** @throws RangeError when the value is not finite. */
  add(value: number): void;
  /** The same numbers as {@link meanInterval} over the values added so far. */
  interval(options: { readonly confidence: number }): Interval;
};

/**
 * Student's t interval for the mean of independent values, with n − 1 degrees of freedom. Without values there
 * is no mean; a single value is its own mean but has no interval. Values that are all equal give an interval of
 * width 0. Average repeats of one question first: repeats are not independent values.
 *
 * Method: Student, "The probable error of a mean", Biometrika 6 (1908), with the sums of
 * {@link createMeanAccumulator}.
 *
 * @throws RangeError when a value is not finite or the confidence is not strictly between 0 and 1.
 */
export function meanInterval(options: {
  readonly values: Iterable<number>;
  readonly confidence: number;
}): Interval {
  const accumulator = createMeanAccumulator();
  for (const value of options.values) {
    accumulator.add(value);
  }
  return accumulator.interval({ confidence: options.confidence });
}

/**
 * Starts an empty accumulator. A million values keep a relative error near 1e-15, in any order and however far
 * they lie from 0, as long as their spread squared is a normal double (about 1e-150 to 1e150).
 *
 * Method: B. P. Welford's update of the sum of squares, Technometrics 4 (1962), about the first value, with
 * Neumaier's compensated sums.
 */
export function createMeanAccumulator(): MeanAccumulator {
  const shifted = createCompensatedSum();
  const squares = createCompensatedSum();
  let n = 0;
  let origin = 0;
  let mean = 0;
  return {
    add: (value) => {
      checkDomain(Number.isFinite(value), `value ${n + 1}`, value, 'finite');
      n += 1;
      if (n === 1) origin = value;
      const previousMean = mean;
      shifted.add(value - origin);
      mean = shifted.total() / n;
      squares.add((value - origin - previousMean) * (value - origin - mean));
    },
    interval: ({ confidence }) => {
      return tInterval({ n, mean: origin + mean, squares: squares.total(), confidence });
    },
  };
}

type Moments = {
  readonly n: number;
  readonly mean: number;
  /** Sum of squared distances from the mean. */
  readonly squares: number;
  readonly confidence: number;
};

function tInterval({ n, mean, squares, confidence }: Moments): Interval {
  checkConfidence(confidence);
  const basis = { n, confidence, method: 't' } as const;
  if (n === 0) {
    return undefinedInterval({ ...basis, estimate: null, reason: 'no values' });
  }
  if (n === 1) {
    return undefinedInterval({ ...basis, estimate: mean, reason: 'a single value shows no spread' });
  }
  const t = -studentTQuantile({ p: (1 - confidence) / 2, degreesOfFreedom: n - 1 });
  const margin = t * Math.sqrt(Math.max(0, squares) / (n - 1) / n);
  return { ...basis, status: 'defined', estimate: mean, lower: mean - margin, upper: mean + margin };
}
