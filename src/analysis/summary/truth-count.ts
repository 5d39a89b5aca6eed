/** How many values are true, 1, of those that can be 1 or 0 only. */
export interface Truths {
  readonly successes: number;
  readonly trials: number;
}

/** Counts values for as long as each is 0 or 1. */
export function createTruthCount() {
  const counts = { successes: 0, trials: 0 };
  let isTruth = true;
  return {
    add: (value: number): void => {
      counts.successes += value;
      counts.trials += 1;
      isTruth &&= value === 0 || value === 1;
    },
    /** undefined without values, or once one was neither. */
    current: (): Truths | undefined => (isTruth && counts.trials > 0 ? { ...counts } : undefined),
  };
}
