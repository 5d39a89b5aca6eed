import { planOrder } from '../../core/lib/filter/parse-sort.ts';
import type { TrialPlace } from '../../core/schema/api/trial-facets.ts';
import type { Run } from '../../core/schema/run.ts';
import type { Store, TrialCursor } from '../../stores/store.ts';
import { comparePlaces } from '../../core/trials/trial-values.ts';
import { parseTrialSort } from './filters.ts';
import { whereOf } from './trials.ts';

/** A filtered and sorted list of trials. */
export interface ListChoice {
  readonly where?: string;
  readonly sort?: string;
}

/** The part of a run on which a list of its trials depends. */
type ListedRun = Pick<Run, 'id' | 'metrics' | 'attempts'>;

/**
 * Reads the ordinals of a list of trials in its order, one for each case and target: of the attempts that match, the first one
 * in the order. Throws `usage-invalid`.
 */
export async function readListOrder(
  store: Pick<Store, 'readColumns'>,
  run: ListedRun,
  { where, sort: order = '' }: ListChoice,
): Promise<Uint32Array> {
  const sort = order.trim() === '' ? planOrder : parseTrialSort(order, run);
  const places: TrialCursor[] = [];
  for await (const batch of store.readColumns(run.id, {
    where: whereOf(where, run),
    columns: [sort.field],
  })) {
    for (const { ordinal, values } of batch)
      places.push({ ordinal, value: values[0] as TrialCursor['value'] });
  }
  const seen = new Set<number>();
  const first = places.sort(comparePlaces(sort)).filter(({ ordinal }) => {
    const row = rowOf(run, ordinal);
    return run.attempts === 1 || (!seen.has(row) && seen.add(row));
  });
  return Uint32Array.from(first, ({ ordinal }) => ordinal);
}

/** Finds the place of a trial, or of another attempt at the same case by the same target, in the order of a list. */
export function findPlace(run: Pick<Run, 'attempts'>, order: Uint32Array, ordinal: number): TrialPlace {
  const row = rowOf(run, ordinal);
  const found = order.findIndex((each) => rowOf(run, each) === row);
  return {
    index: found < 0 ? null : found,
    rows: order.length,
    previous: (found > 0 ? order[found - 1] : undefined) ?? null,
    // From outside of the list, the next one is its first.
    next: order[found + 1] ?? null,
  };
}

/** Returns the number of a case and target, from the ordinal of one of its attempts. */
function rowOf({ attempts }: Pick<Run, 'attempts'>, ordinal: number): number {
  return Math.floor(ordinal / attempts);
}
