import { keepPreviousData, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { useData } from './data-source.ts';

/** The choices for a query. */
interface AnswerChoices<Answer> {
  /**
   * Returns the milliseconds after which the answer is asked for again while the server sends no events; false for never.
   */
  readonly refetchMs?: (answer: Answer | undefined) => number | false;
  /** The milliseconds after which the answer is asked for again at all times, for changes without events; false for never. */
  readonly pollMs?: number | ((answer: Answer | undefined) => number | false);
  /** True for an answer that stays the same while the page is open. */
  readonly isLasting?: boolean;
  /** False while the question is not known yet. */
  readonly isEnabled?: boolean;
}

/**
 * Asks for the answer to `GET /api` + path, and checks it by its schema. While the answer to a changed path is on its way,
 * the previous one stays.
 */
export function useAnswer<Schema extends z.ZodType>(
  path: string,
  schema: Schema,
  { refetchMs, pollMs, isLasting = false, isEnabled = true }: AnswerChoices<z.output<Schema>> = {},
): UseQueryResult<z.output<Schema>> {
  const source = useData();
  const client = useQueryClient();
  return useQuery<z.output<Schema>>({
    queryKey: ['api', path],
    queryFn: async ({ signal }) => schema.parse(await source.get(path, signal)),
    placeholderData: keepPreviousData,
    enabled: isEnabled,
    ...(isLasting && { staleTime: Infinity }),
    refetchInterval: typeof pollMs === 'function' ? ({ state }) => pollMs(state.data) : pollMs,
    ...(refetchMs !== undefined && {
      refetchInterval: ({ state }) =>
        client.getQueryData(streamKey) === true ? false : refetchMs(state.data),
    }),
  });
}

/** The key in the cache that says whether the server sends events. */
export const streamKey = ['stream'];

/** Returns a path with those parameters that are given. */
export function withParameters(
  path: string,
  parameters: Readonly<Record<string, string | number | undefined>>,
): string {
  const present = Object.entries(parameters).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return present.length === 0 ? path : `${path}?${new URLSearchParams(present)}`;
}
