import { uncategorized } from '../schema/case.ts';
import type { CaseNames } from '../schema/result.ts';

/** How many cases each category has, in the order in which the categories first occur. Adds to the counts that are given. */
export function countCategories(
  cases: Iterable<Pick<CaseNames, 'category'>>,
  counts = new Map<string, number>(),
): Map<string, number> {
  for (const { category = uncategorized } of cases) counts.set(category, (counts.get(category) ?? 0) + 1);
  return counts;
}
