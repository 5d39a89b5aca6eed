import type { FieldValues, Filter } from '../lib/filter/filter.ts';
import { formatFilter } from '../lib/filter/format-filter.ts';
import { compileTerm } from '../lib/filter/match-filter.ts';
import type { TrialFacets } from '../schema/api/trial-facets.ts';
import type { Run } from '../schema/run.ts';
import type { ColumnValue, Store } from '../stores/store.ts';
import { whereOf } from './trials.ts';

/** The fields whose values a list of trials offers to filter by. */
const facetFields = ['result', 'category', 'target', 'grade', 'outcome', 'error'] as const;

/** The fields that are read: those above, and the score. */
const readFields = [...facetFields, 'total'] as const;

/** The number of equal parts of the range of scores in which trials are counted. */
const scoreBins = 20;

/** The largest number of values of a field that are offered. */
const mostValues = 30;

/** The part of a run on which a list of its trials depends. */
type ListedRun = Pick<Run, 'id' | 'metrics' | 'attempts'>;

/**
 * Counts the trials that match a filter, the values that its terms could have, and the scores, in one pass. The counts of a
 * field ignore the terms of the filter on this field: they say what choosing another value would show. Throws `usage-invalid`.
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
  const counted = facetFields.map(() => new Map<string, number>());
  const scores = { bins: Array.from({ length: scoreBins }, () => 0), missing: 0 };
  let [trials, rows, last] = [0, 0, -1];
  const others = filter.filter(({ field }) => fieldNumber(field) < 0);
  for await (const batch of store.readColumns(run.id, { where: others, columns: readFields })) {
    for (const { ordinal, values } of batch) {
      const refusing = new Set(
        tests.flatMap(({ field, test }) => (test(valuesOf(values[field])) ? [] : [field])),
      );
      if (refusing.size > 1) continue;
      const counts = (field: number): boolean => refusing.size === 0 || refusing.has(field);
      for (const [field, count] of counted.entries()) {
        const value = values[field] ?? null;
        if (value === null || !counts(field)) continue;
        count.set(String(value), (count.get(String(value)) ?? 0) + 1);
      }
      if (counts(facetFields.length)) countScore(scores, values[facetFields.length]);
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
    facets: facetFields.map((field, index) => ({ field, ...mostFrequent(counted[index] ?? new Map()) })),
    scores,
    without: trials > 0 ? [] : await countWithout(store, run, filter),
  };
}

function fieldNumber(name: string): number {
  return readFields.findIndex((field) => field === name);
}

/** Returns the values of a column for a term: none when the value is unknown. */
function valuesOf(value: ColumnValue | undefined): FieldValues {
  return typeof value === 'string' || typeof value === 'number' ? [value] : [];
}

/** Counts a score in its part of the range, whose lower end belongs to it, as a filter with `>=` and `<` selects it. */
function countScore(scores: TrialFacets['scores'], total: ColumnValue | undefined): void {
  if (typeof total !== 'number') {
    scores.missing += 1;
    return;
  }
  const bin = scores.bins.findLastIndex((_, index) => index / scoreBins <= total);
  scores.bins[Math.max(0, bin)] = (scores.bins[Math.max(0, bin)] ?? 0) + 1;
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
