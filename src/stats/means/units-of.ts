import { checkDomain } from '../check-domain.ts';
import { groupByCluster } from '../group-by-cluster.ts';
import type { Label } from '../group-by-cluster.ts';
import type { DrawnStratum } from './resampled-means.ts';

type Grouping = {
  readonly values: readonly number[];
  readonly clusters?: readonly Label[];
  readonly strata?: readonly Label[];
  /** What is subtracted from every value. */
  readonly origin: number;
};

/**
 * The values as distances from an origin, grouped by category and, within it, by cluster; without clusters every
 * value is a unit of its own.
 *
 * @throws RangeError when arrays differ in length or a cluster lies in two categories.
 */
export function unitsOf({ values, clusters, strata, origin }: Grouping): DrawnStratum[] {
  const n = values.length;
  const lengths = { clusters: clusters?.length ?? n, strata: strata?.length ?? n };
  for (const [name, length] of Object.entries(lengths)) {
    checkDomain(length === n, `${name}.length`, length, `${n}`);
  }
  const places = Map.groupBy(values.keys(), (place) => strata?.[place]);
  const found = Array.from(places.values(), (inside) => {
    const distances = inside.map((place) => (values[place] as number) - origin);
    const labels = inside.map((place) => clusters?.[place] ?? place);
    return { share: inside.length / n, units: groupByCluster(distances, labels) };
  });
  if (clusters !== undefined) {
    const count = found.reduce((sum, { units }) => sum + units.length, 0);
    checkDomain(count === new Set(clusters).size, 'a cluster', 'in two categories', 'in one');
  }
  return found;
}
