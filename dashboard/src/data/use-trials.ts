import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { fieldValuesSchema, trialFacetsSchema } from '../../../src/core/schema/api/trial-facets.ts';
import { trialListSchema } from '../../../src/core/schema/api/trial-row.ts';
import { useData } from './data-source.ts';
import { useAnswer, withParameters } from './use-answer.ts';

/** A filtered and sorted list of the trials of a run. */
export interface TrialChoice {
  readonly run: string;
  readonly where?: string;
  readonly sort?: string;
}

/** Asks for a list of trials, part by part, as it is scrolled. */
export function useTrials({ run, where, sort }: TrialChoice, isEnabled: boolean) {
  const source = useData();
  const path = withParameters(`/runs/${encodeURIComponent(run)}/trials`, { where, sort });
  return useInfiniteQuery({
    queryKey: ['api', path, 'parts'],
    queryFn: async ({ pageParam, signal }) => {
      const after = pageParam === null ? '' : `${path.includes('?') ? '&' : '?'}after=${pageParam}`;
      return trialListSchema.parse(await source.get(path + after, signal));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
    placeholderData: keepPreviousData,
    enabled: isEnabled,
  });
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
