import type { Filter } from '../lib/filter/filter.ts';
import { formatFilter } from '../lib/filter/format-filter.ts';
import { compileTerm } from '../lib/filter/match-filter.ts';
import type { TrialFacets } from '../schema/api/trial-facets.ts';
import type { Run } from '../schema/run.ts';
import type { Store } from '../stores/store.ts';
import { whereOf } from './trials.ts';

/** The fields whose values a list of trials offers to filter by. */
const facetFields = ['result', 'category', 'target', 'grade', 'outcome', 'error'] as const;

/** The largest number of values of a field that are offered. */
const mostValues = 30;

/** The part of a run on which a list of its trials depends. */
type ListedRun = Pick<Run, 'id' | 'metrics' | 'attempts'>;

/**
 * Counts the trials that match a filter, and the values that its terms could have, in one pass. The counts of a field ignore
 * the terms of the filter on this field: they say what choosing another value would show. Throws `usage-invalid`.
 */
export async function countFacets(
  store: Pick<Store, 'readColumns'>,
  run: ListedRun,
  where?: string,
): Promise<TrialFacets> {
  const filter = whereOf(where, run);
  const tests = filter.flatMap((term) => {
    const field = fieldNumber(term.field);
    return field < 0 ? [] : [{ field, test: compileTerm(term) }];
  });
  const counts = facetFields.map(() => new Map<string, number>());
  let [trials, rows, last] = [0, 0, -1];
  const others = filter.filter(({ field }) => fieldNumber(field) < 0);
  for await (const batch of store.readColumns(run.id, { where: others, columns: facetFields })) {
    for (const { ordinal, values } of batch) {
      const texts = values.map((value) => (value === null ? [] : [String(value)]));
      const refusing = new Set(
        tests.flatMap(({ field, test }) => (test(texts[field] as string[]) ? [] : [field])),
      );
      if (refusing.size > 1) continue;
      for (const [field, count] of counts.entries()) {
        const [value] = texts[field] as string[];
        if (value === undefined || (refusing.size === 1 && !refusing.has(field))) continue;
        count.set(value, (count.get(value) ?? 0) + 1);
      }
      if (refusing.size > 0) continue;
      trials += 1;
      const row = Math.floor(ordinal / run.attempts);
      if (row !== last) rows += 1;
      last = row;
    }
  }
  return {
    trials,
    rows,
    facets: facetFields.map((field, index) => ({ field, ...mostFrequent(counts[index] ?? new Map()) })),
    without: trials > 0 ? [] : await countWithout(store, run, filter),
  };
}

function fieldNumber(name: string): number {
  return facetFields.findIndex((field) => field === name);
}

function mostFrequent(counts: ReadonlyMap<string, number>) {
  const sorted = Array.from(counts, ([value, trials]) => ({ value, trials })).sort(
    (one, other) => other.trials - one.trials,
  );
  return { values: sorted.slice(0, mostValues), more: Math.max(0, sorted.length - mostValues) };
}

/** Counts for each term of a filter the trials that match all other terms. */
async function countWithout(
  store: Pick<Store, 'readColumns'>,
  run: ListedRun,
  filter: Filter,
): Promise<TrialFacets['without']> {
  const without: TrialFacets['without'] = [];
  for (const [index, term] of filter.entries()) {
    const rest = filter.toSpliced(index, 1);
    let trials = 0;
    for await (const batch of store.readColumns(run.id, { where: rest })) trials += batch.length;
    without.push({ term: formatFilter([term]), where: formatFilter(rest), trials });
  }
  return without;
}
