import { uncategorized } from '../../schema/case.ts';
import type { CaseNames } from '../../schema/result.ts';
import type { Run } from '../../schema/run.ts';
import type { Store } from '../../stores/store.ts';

/** How many cases each category has, in the order in which the categories first occur. Adds to the counts that are given. */
export function countCategories(
  cases: Iterable<Pick<CaseNames, 'category'>>,
  counts = new Map<string, number>(),
): Map<string, number> {
  for (const { category = uncategorized } of cases) counts.set(category, (counts.get(category) ?? 0) + 1);
  return counts;
}

/** The same for the plan of a run; where an older version did not count them in time, its cases are looked through. */
export async function plannedCategories(
  { id, dataset: { categories } }: Pick<Run, 'id' | 'dataset'>,
  store: Pick<Store, 'readCaseNames'>,
): Promise<Map<string, number>> {
  if (categories !== undefined) return new Map(categories.map(({ category, cases }) => [category, cases]));
  const counts = new Map<string, number>();
  for await (const names of store.readCaseNames(id)) countCategories(names, counts);
  return counts;
}
