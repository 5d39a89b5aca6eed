import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type SearchHit, searchLineSchema } from '../../../src/core/schema/api/search-hit.ts';
import { useData } from './data-source.ts';
import { withParameters } from './use-answer.ts';

/** A search in the texts of a run. */
interface TextSearch {
  readonly run: string;
  readonly text: string;
  /** The filter of the trials to search. */
  readonly where?: string;
}

/** The part of a search that is done. */
interface SearchSoFar {
  readonly hits: readonly SearchHit[];
  /** The number of trials that have been read. */
  readonly searched: number;
  /** The ordinal after which the search continues; null when the whole run was searched; absent at its beginning. */
  readonly next?: number | null;
}

/** A search with what can be done about it. */
interface RunningSearch {
  readonly found: SearchSoFar | undefined;
  readonly error: unknown;
  readonly isRunning: boolean;
  /** Continues after the last hit, or where the search was stopped. */
  readonly onContinue: () => void;
  readonly onStop: () => void;
}

/** Searches the texts of a run, and returns the hits as they are found. */
export function useSearch({ run, ...search }: TextSearch): RunningSearch {
  const { open } = useData();
  const client = useQueryClient();
  const path = withParameters(`/runs/${encodeURIComponent(run)}/search`, { ...search });
  const queryKey = ['search', path];
  const { data, error, isFetching, refetch } = useQuery<SearchSoFar>({
    queryKey,
    queryFn: async ({ signal }) => {
      if (open === undefined) throw new Error('Nothing can be searched here.');
      const before = client.getQueryData<SearchSoFar>(queryKey) ?? { hits: [], searched: 0 };
      const after = typeof before.next === 'number' ? `&after=${before.next}` : '';
      const { body } = await open(path + after, signal);
      let found = before;
      for await (const lines of readLines(body)) {
        found = lines.reduce<SearchSoFar>((sum, line) => addLine(sum, line, before.searched), found);
        client.setQueryData(queryKey, found);
      }
      return found;
    },
    // What was found stays; only a button reads on.
    staleTime: 'static',
  });
  return {
    found: data,
    error,
    isRunning: isFetching,
    onContinue: () => void refetch(),
    onStop: () => void client.cancelQueries({ queryKey }, { revert: false }),
  };
}

/** Adds a line of an answer to what was found. Each answer counts the trials that it has read from 0. */
function addLine(found: SearchSoFar, line: string, searchedBefore: number): SearchSoFar {
  const read = searchLineSchema.parse(JSON.parse(line));
  return 'searched' in read
    ? { ...found, next: read.next, searched: searchedBefore + read.searched }
    : { ...found, next: read.ordinal, hits: [...found.hits, read] };
}

/** Yields the lines of an answer as they come, all lines of a piece together, without blank ones. */
export async function* readLines(body: ReadableStream<Uint8Array> | null): AsyncGenerator<string[]> {
  const decoder = new TextDecoder();
  const reader = body?.getReader();
  let rest = '';
  try {
    for (let isEnd = reader === undefined; !isEnd; ) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
      isEnd = done;
      const lines = (rest + decoder.decode(value, { stream: !done })).split('\n');
      rest = done ? '' : (lines.pop() ?? '');
      const whole = lines.filter((line) => line.trim() !== '');
      if (whole.length > 0) yield whole;
    }
  } finally {
    await reader?.cancel();
  }
}
