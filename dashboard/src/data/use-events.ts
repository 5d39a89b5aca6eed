import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { endedRunSchema, type LiveRun, liveRunSchema } from '../../../src/core/schema/api/live-run.ts';
import { followEvents } from './event-stream.ts';
import { streamKey } from './use-answer.ts';

/** The least time between two updates of the lists of a run under way, in milliseconds. */
const listsMs = 5000;

const liveKey = (run: string) => ['live', run] as const;
const continuationKey = (run: string) => ['continuation', run] as const;

/**
 * Follows the runs of the store while the page is visible: keeps what {@link useLiveRun} returns, and asks again for answers
 * that have changed. While the server sends no events, the queries ask again by themselves.
 */
export function useEvents(): void {
  const client = useQueryClient();
  useEffect(() => {
    for (const key of [streamKey, ['live'], ['continuation']]) {
      client.setQueryDefaults(key, { gcTime: Number.POSITIVE_INFINITY, staleTime: Number.POSITIVE_INFINITY });
    }
    let close: (() => void) | undefined;
    // A page that is not looked at leaves the stream to one that is.
    const onVisibility = () => {
      close?.();
      close = document.hidden ? undefined : connect(client);
    };
    onVisibility();
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      close?.();
    };
  }, [client]);
}

/** Returns the latest event about a run under way; undefined for any other run, and where there are no events. */
export function useLiveRun(run: string): LiveRun | undefined {
  return useQuery<LiveRun | null>({ queryKey: liveKey(run), enabled: false }).data ?? undefined;
}

/** Returns the id of a run that has begun to continue another one while this page was open. */
export function useContinuation(run: string): string | undefined {
  return useQuery<string | null>({ queryKey: continuationKey(run), enabled: false }).data ?? undefined;
}

/** Follows the stream, and returns a function that ends it. */
function connect(client: QueryClient): () => void {
  const lists = new Map<string, number>();
  const stop = followEvents(({ name, data }) => {
    if (name === 'open') client.setQueryData(streamKey, true);
    else if (name === 'closed') {
      // The answers are asked for again, and from then on by themselves until there are events again.
      if (client.getQueryData(streamKey) === true) void client.invalidateQueries({ queryKey: ['api'] });
      client.setQueryData(streamKey, false);
    } else if (name === 'runs-changed') void client.invalidateQueries({ queryKey: ['api'] });
    else if (name === 'run-changed') {
      const live = liveRunSchema.parse(JSON.parse(data));
      client.setQueryData(liveKey(live.run), live);
      noteContinuation(client, live);
      if (Date.now() - (lists.get(live.run) ?? 0) < listsMs) return;
      lists.set(live.run, Date.now());
      const part = `/runs/${encodeURIComponent(live.run)}`;
      void client.invalidateQueries({
        predicate: ({ queryKey: [kind, path] }) => kind === 'api' && String(path).startsWith(part),
      });
    } else {
      const ended = endedRunSchema.parse(JSON.parse(data));
      client.setQueryData(liveKey(ended.run), null);
      noteContinuation(client, ended);
      void client.invalidateQueries({ queryKey: ['api'] });
    }
  });
  return () => {
    stop();
    client.setQueryData(streamKey, false);
  };
}

function noteContinuation(client: QueryClient, { run, continues }: Pick<LiveRun, 'run' | 'continues'>): void {
  if (continues !== undefined) client.setQueryData(continuationKey(continues), run);
}
