import { checkConfidence } from './check-domain.ts';
import { defaultConfidence } from './interval.ts';
import { createMoments, type Moments, varianceOf } from './moments.ts';
import { studentInterval, type StudentInterval, undefinedStudentInterval } from './student-t.ts';

/** A collector of values, in constant memory, with the interval of their mean at any time. */
export type MeanAccumulator = {
  /**
   * Adds a value.
   * @throws RangeError when the value is not finite.
   */
  add(value: number): void;
  /** Returns the same numbers as {@link meanInterval} over the values added so far. */
  interval(options?: { readonly confidence?: number }): StudentInterval;
};

/**
 * Returns Student's t interval for the mean of independent values, with n − 1 degrees of freedom. Without values there
 * is no mean; a single value is its own mean but has no interval. Values that are all equal give an interval of width
 * 0. Average repeats of one question first: repeats are not independent values.
 *
 * Method: Student, "The probable error of a mean", Biometrika 6 (1908), with the sums of {@link createMoments}.
 *
 * @throws RangeError when a value is not finite or the confidence is not strictly between 0 and 1.
 */
export function meanInterval(options: {
  readonly values: Iterable<number>;
  /** Confidence level, strictly between 0 and 1; 0.95 by default. */
  readonly confidence?: number;
}): StudentInterval {
  const accumulator = createMeanAccumulator();
  for (const value of options.values) {
    accumulator.add(value);
  }
  return accumulator.interval(options);
}

/** Starts an empty accumulator, as precise as {@link createMoments}. */
export function createMeanAccumulator(): MeanAccumulator {
  const moments = createMoments();
  return {
    add: moments.add,
    interval: ({ confidence = defaultConfidence } = {}) => tInterval(moments.current(), confidence),
  };
}

function tInterval(moments: Moments, confidence: number): StudentInterval {
  checkConfidence(confidence);
  const { n, mean } = moments;
  const basis = { n, confidence, method: 't' } as const;
  if (n === 0) {
    return undefinedStudentInterval({ ...basis, estimate: null, reason: 'no values' });
  }
  if (n === 1) {
    return undefinedStudentInterval({ ...basis, estimate: mean, reason: 'a single value shows no spread' });
  }
  const standardError = Math.sqrt(varianceOf(moments) / n);
  return studentInterval({ ...basis, estimate: mean, standardError, degreesOfFreedom: n - 1 });
}
