import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { baselineListSchema } from '../../../src/core/schema/api/baseline-row.ts';
import {
  type RunList,
  type RunRow,
  runListSchema,
  runValuesSchema,
} from '../../../src/core/schema/api/run-row.ts';
import { useData } from './data-source.ts';
import { useAnswer, withParameters } from './use-answer.ts';

/** The choice of runs that a list shows. */
export interface RunChoice {
  readonly dataset?: string;
  readonly target?: string;
  readonly branch?: string;
}

/** Asks for the newest runs, again every second while one is under way. */
export function useRuns() {
  return useAnswer('/runs', runListSchema, { refetchMs: (list) => waitBefore(list?.runs) });
}

/** Asks for the runs of a choice, page by page. The pages that are there are asked for again, as by `useRuns`. */
export function useRunPages(choice: RunChoice) {
  const source = useData();
  return useInfiniteQuery({
    queryKey: ['api', '/runs', 'pages', choice],
    queryFn: async ({ pageParam: before, signal }) =>
      runListSchema.parse(await source.get(withParameters('/runs', { ...choice, before }), signal)),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }: RunList) => next,
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => waitBefore(state.data?.pages.flatMap(({ runs }) => runs)),
  });
}

/** Asks for the datasets, targets and branches of all runs. */
export function useRunValues() {
  return useAnswer('/run-values', runValuesSchema);
}

/** Asks for the baselines of the store. */
export function useBaselines() {
  return useAnswer('/baselines', baselineListSchema);
}

/** Returns the milliseconds after which a list of runs is asked for again. */
function waitBefore(runs: readonly RunRow[] = []): number {
  return runs.some(({ state }) => activeStates.has(state)) ? 1_000 : 10_000;
}

/** The states of runs that are still changing. */
export const activeStates: ReadonlySet<string> = new Set(['planning', 'running', 'importing']);
