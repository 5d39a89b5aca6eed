import type { TrialColumns, TrialCount } from './store.ts';

/** Counts of trials by the values of some fields, added part by part. */
export interface TrialCounts {
  add(values: TrialCount['values'], trials: number): void;
  list(): TrialCount[];
}

/** Creates counts without any trials. */
export function createTrialCounts(): TrialCounts {
  const counts = new Map<string, TrialCount>();
  return {
    add: (values, trials) => {
      const key = JSON.stringify(values);
      counts.set(key, { values, trials: (counts.get(key)?.trials ?? 0) + trials });
    },
    list: () => [...counts.values()],
  };
}

/**
 * Counts trials whose columns are read in batches, in the order of the plan.
 * @param attempts - The number of neighbours in the plan that count as one when their values are the same: 1 to count trials.
 */
export async function countColumns(
  batches: AsyncIterable<readonly TrialColumns[]> | Iterable<readonly TrialColumns[]>,
  attempts: number,
): Promise<TrialCount[]> {
  const counts = createTrialCounts();
  let row = -1;
  const seen = new Set<string>();
  for await (const batch of batches) {
    for (const { ordinal, values } of batch) {
      const key = JSON.stringify(values);
      if (Math.floor(ordinal / attempts) !== row) seen.clear();
      row = Math.floor(ordinal / attempts);
      if (!seen.has(key)) counts.add(values as TrialCount['values'], 1);
      seen.add(key);
    }
  }
  return counts.list();
}
