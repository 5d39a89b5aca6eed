/** A running sum that keeps the low-order digits a plain sum loses. */
export type CompensatedSum = {
  /** Adds one finite number. */
  add(value: number): void;
  /** The sum so far; 0 before the first number. */
  total(): number;
};

/**
 * Starts an empty sum, in constant memory. Its error does not grow with the count of numbers.
 *
 * Method: A. Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen", ZAMM 54 (1974).
 */
export function createCompensatedSum(): CompensatedSum {
  // Variables of the closure would be new heap objects at every change.
  const state = { sum: 0, lost: 0 };
  return {
    add: (value) => {
      state.lost += lostBy(state.sum, value);
      state.sum += value;
    },
    total: () => state.sum + state.lost,
  };
}

/** Returns the exact rounding error of a sum of two numbers. */
export function lostBy(sum: number, value: number): number {
  const next = sum + value;
  return Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
}
