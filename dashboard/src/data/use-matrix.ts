import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { matrixCountsSchema, matrixListSchema } from '../../../src/core/schema/api/comparison/matrix.ts';
import { useData } from './data-source.ts';
import { useAnswer, withParameters } from './use-answer.ts';

/** The columns of a matrix, and its rows. */
export interface MatrixChoice {
  readonly columns?: string;
  readonly where?: string;
  readonly sort?: string;
}

/** Asks for the rows of a matrix, part by part, as it is scrolled. */
export function useMatrix({ columns = '', where, sort }: MatrixChoice) {
  const source = useData();
  const pathAfter = (after: string | undefined) => withParameters('/matrix', { columns, where, sort, after });
  return useInfiniteQuery({
    queryKey: ['api', pathAfter(undefined), 'parts'],
    queryFn: async ({ pageParam, signal }) =>
      matrixListSchema.parse(await source.get(pathAfter(pageParam), signal)),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next }) => next ?? undefined,
    placeholderData: keepPreviousData,
    enabled: columns !== '',
  });
}

/** Asks for the numbers of rows of a matrix, and for what does not pair: once rows are there, since it takes longer. */
export function useMatrixCounts({ columns = '', where }: MatrixChoice, hasRows: boolean) {
  return useAnswer(withParameters('/matrix/counts', { columns, where }), matrixCountsSchema, {
    isEnabled: hasRows && columns !== '',
  });
}
