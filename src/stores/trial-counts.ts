import type { ColumnValue, CountedBy, TrialColumns, TrialCount } from './store.ts';

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

/** Returns the name of the field that trials are counted by. */
export function fieldOf(by: CountedBy): string {
  return typeof by === 'string' ? by : by.field;
}

/** The way in which trials are counted. */
interface Counting {
  /** The fields, in the order of the columns. */
  readonly by: readonly CountedBy[];
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

function toCounted(value: ColumnValue, by: CountedBy | undefined): string | number | null {
  if (Array.isArray(value)) return JSON.stringify(value);
  if (typeof by !== 'object') return value as string | number | null;
  if (typeof value !== 'number') return null;
  if ('digits' in by) return roundDown(value);
  const ends = Array.from({ length: by.parts - 1 }, (_, index) => (index + 1) / by.parts);
  return String(ends.filter((end) => value >= end).length);
}

/** The powers of ten from which on numbers have another unit of three digits, and whether this is multiplied by or divided by. */
export const decades = Array.from({ length: 14 }, (_, index) => {
  const power = index - 4;
  return { from: 10 ** power, unit: 10 ** Math.abs(power - 2), isBelowOne: power < 2 };
});

/** Rounds a number down to three significant digits; numbers far below 1 down to 0. */
function roundDown(value: number): number {
  const decade = decades.findLast(({ from }) => value >= from);
  if (decade === undefined) return 0;
  const { unit, isBelowOne } = decade;
  // Multiplied, decimals stay what they are: 0.29 is 290 thousandths.
  return isBelowOne ? Math.floor(value * unit) / unit : Math.floor(value / unit) * unit;
}
