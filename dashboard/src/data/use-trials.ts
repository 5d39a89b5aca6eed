import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { fieldValuesSchema, trialFacetsSchema } from '../../../src/core/schema/api/trial-facets.ts';
import { type TrialRow, trialListSchema } from '../../../src/core/schema/api/trial-row.ts';
import { type DataSource, useData } from './data-source.ts';
import { useAnswer, withParameters } from './use-answer.ts';

/** A filtered and sorted list of the trials of a run. */
export interface TrialChoice {
  readonly run: string;
  readonly where?: string;
  readonly sort?: string;
}

/** The number of rows of a part of a list after its first. */
const rowsAtOnce = 200;

/** Asks for a list of trials, part by part, as it is scrolled. */
export function useTrials({ run, where, sort }: TrialChoice, isEnabled: boolean) {
  const source = useData();
  const path = withParameters(`/runs/${encodeURIComponent(run)}/trials`, { where, sort });
  return useInfiniteQuery({
    queryKey: ['api', path, 'parts'],
    queryFn: async ({ pageParam, signal }) => {
      const after = pageParam === null ? {} : { after: pageParam, limit: String(rowsAtOnce) };
      const part = withParameters(`/runs/${encodeURIComponent(run)}/trials`, { where, sort, ...after });
      return trialListSchema.parse(await source.get(part, signal));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    enabled: isEnabled,
  });
}

/** The most rows that are selected at once. */
const mostSelected = 2_000;

/** Reads the rows of a list of trials from its beginning, also those that are not on the page, up to {@link mostSelected}. */
export async function readAllTrials(
  source: DataSource,
  { run, where, sort }: TrialChoice,
): Promise<TrialRow[]> {
  const rows: TrialRow[] = [];
  for (let after: string | null | undefined; after !== null && rows.length < mostSelected; ) {
    const parameters = { where, sort, after, limit: String(rowsAtOnce) };
    const path = withParameters(`/runs/${encodeURIComponent(run)}/trials`, parameters);
    const part = trialListSchema.parse(await source.get(path));
    rows.push(...part.rows);
    after = part.next;
  }
  return rows.slice(0, mostSelected);
}

/** Asks for the values that the filter of a list could have. */
export function useFacets({ run, where }: Pick<TrialChoice, 'run' | 'where'>, isEnabled: boolean) {
  const path = withParameters(`/runs/${encodeURIComponent(run)}/facets`, { where });
  return useAnswer(path, trialFacetsSchema, { isEnabled });
}

/** Asks for the values of a field that contain a text, while a filter is typed. */
export function useFieldValues(
  run: string,
  { field = '', text }: { readonly field: string | undefined; readonly text: string },
) {
  const path = withParameters(`/runs/${encodeURIComponent(run)}/values`, { field, text });
  return useAnswer(path, fieldValuesSchema, { isEnabled: field !== '' });
}
