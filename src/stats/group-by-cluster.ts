import { checkDomain } from './check-domain.ts';
import { createCompensatedSum } from './compensated-sum.ts';
import type { CompensatedSum } from './compensated-sum.ts';

/** What tells clusters and strata apart. */
export type Label = string | number;

/** Values that belong together: how many, and their sum. */
export type Cluster = { readonly label: Label; readonly size: number; readonly sum: number };

/**
 * The clusters of values, in the order of their first values. The labels stand at the same positions as the
 * values.
 *
 * @throws RangeError when the two arrays differ in length or a value is not finite.
 */
export function groupByCluster(values: readonly number[], clusters: readonly Label[]): Cluster[] {
  checkDomain(clusters.length === values.length, 'clusters.length', clusters.length, `${values.length}`);
  const groups = new Map<Label, { size: number; sum: CompensatedSum }>();
  for (const [place, value] of values.entries()) {
    if (!Number.isFinite(value)) checkDomain(false, `value ${place + 1}`, value, 'finite');
    const label = clusters[place] as Label;
    const group = groups.get(label) ?? { size: 0, sum: createCompensatedSum() };
    groups.set(label, group);
    group.size += 1;
    group.sum.add(value);
  }
  return Array.from(groups, ([label, { size, sum }]) => ({ label, size, sum: sum.total() }));
}
