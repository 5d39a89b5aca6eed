/** What one more of something is likely to cost. */
export interface TypicalCost {
  add(cost: number): void;
  /** Mean and two standard deviations, so that most cost less; undefined before the first. */
  read(): number | undefined;
}

/** Starts with nothing known. Sums as in Welford, "Note on a method for calculating corrected sums" (1962). */
export function createTypicalCost(): TypicalCost {
  let [n, mean, squares] = [0, 0, 0];
  return {
    add: (cost) => {
      n += 1;
      const delta = cost - mean;
      mean += delta / n;
      squares += delta * (cost - mean);
    },
    read: () => (n === 0 ? undefined : mean + 2 * Math.sqrt(squares / Math.max(1, n - 1))),
  };
}
