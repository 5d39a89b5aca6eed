import type { Json } from '../../schema/json.ts';

/** What each list in a tool's result comes to, in words: how many items, and the sum and mean of each numeric field. */
export function listTotals(value: Json): string[] {
  if (value === null || typeof value !== 'object') return [];
  const inner = Object.values(value).flatMap(listTotals);
  return Array.isArray(value) ? [...inner, `count: ${value.length}`, ...totals(value)] : inner;
}

function totals(items: readonly Json[]): string[] {
  const columns = new Map<string, { sum: number; count: number }>();
  for (const item of items) {
    const isObject = item !== null && typeof item === 'object';
    for (const [key, value] of isObject ? Object.entries(item) : [['items', item] as const]) {
      if (typeof value !== 'number') continue;
      const { sum, count } = columns.get(key) ?? { sum: 0, count: 0 };
      columns.set(key, { sum: sum + value, count: count + 1 });
    }
  }
  // To cents: without the noise of binary fractions, and without an exponent.
  return Array.from(
    columns,
    ([key, { sum, count }]) => `sum of ${key}: ${sum.toFixed(2)}, mean: ${(sum / count).toFixed(2)}`,
  );
}
