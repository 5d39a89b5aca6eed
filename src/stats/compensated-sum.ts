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
  let sum = 0;
  let lost = 0;
  return {
    add: (value) => {
      const next = sum + value;
      lost += Math.abs(sum) >= Math.abs(value) ? sum - next + value : value - next + sum;
      sum = next;
    },
    total: () => sum + lost,
  };
}
