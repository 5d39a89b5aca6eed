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
  // The sum and what it lost. Variables of the closure would be new heap objects at every change.
  const state = new Float64Array(2);
  return {
    add: (value) => {
      const sum = state[0] as number;
      const next = sum + value;
      const lost = Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
      state[0] = next;
      state[1] = (state[1] as number) + lost;
    },
    total: () => (state[0] as number) + (state[1] as number),
  };
}
