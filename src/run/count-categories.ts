import { uncategorized } from '../schema/case.ts';
import type { CaseNames } from '../schema/result.ts';

/** How many cases each category has, in the order in which the categories first occur. */
export async function countCategories(
  pages: AsyncIterable<readonly CaseNames[]>,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for await (const page of pages) {
    for (const { category = uncategorized } of page) counts.set(category, (counts.get(category) ?? 0) + 1);
  }
  return counts;
}
