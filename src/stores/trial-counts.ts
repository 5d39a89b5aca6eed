import type { ColumnValue, FieldRange, TrialColumns, TrialCount } from './store.ts';

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

/** Returns the name of a field by whose values, or by the parts of whose range, trials are counted. */
export function fieldOf(by: string | FieldRange): string {
  return typeof by === 'string' ? by : by.field;
}

/** The way in which trials are counted. */
interface Counting {
  /** The fields, in the order of the columns. */
  readonly by: readonly (string | FieldRange)[];
  /** The number of neighbours in the plan that count as one when their values are the same: 1 to count trials. */
  readonly attempts: number;
}

/** Counts trials whose columns are read in batches, in the order of the plan. */
export async function countColumns(
  batches: AsyncIterable<readonly TrialColumns[]> | Iterable<readonly TrialColumns[]>,
  { by, attempts }: Counting,
): Promise<TrialCount[]> {
  const counts = createTrialCounts();
  let row = -1;
  const seen = new Set<string>();
  for await (const batch of batches) {
    for (const { ordinal, values: read } of batch) {
      const values = read.map((value, index) => toCounted(value, by[index]));
      const key = JSON.stringify(values);
      if (Math.floor(ordinal / attempts) !== row) seen.clear();
      row = Math.floor(ordinal / attempts);
      if (!seen.has(key)) counts.add(values, 1);
      seen.add(key);
    }
  }
  return counts.list();
}

function toCounted(value: ColumnValue, by: string | FieldRange | undefined): string | null {
  if (Array.isArray(value)) return JSON.stringify(value);
  if (typeof by !== 'object') return value as string | null;
  if (typeof value !== 'number') return null;
  const ends = Array.from({ length: by.parts - 1 }, (_, index) => (index + 1) / by.parts);
  return String(ends.filter((end) => value >= end).length);
}
