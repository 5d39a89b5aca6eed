import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { endedRunSchema, type LiveRun, liveRunSchema } from '../../../src/core/schema/api/live-run.ts';
import { streamKey } from './use-answer.ts';

/** The time after which a stream that was refused is tried again, in milliseconds. */
const retryMs = 10_000;
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
    // A browser opens six connections to a server at most, so a page that is not looked at gives its own back.
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

/** Opens a stream, which reconnects by itself, and returns a function that closes it. */
function connect(client: QueryClient): () => void {
  const lists = new Map<string, number>();
  let retry: ReturnType<typeof setTimeout> | undefined;
  let source: EventSource | undefined;

  const open = (): void => {
    source = new EventSource('/api/events');
    source.addEventListener('open', () => void client.setQueryData(streamKey, true));
    source.addEventListener('error', () => {
      // The answers are asked for again, and from then on by themselves until there are events again.
      if (client.getQueryData(streamKey) === true) void client.invalidateQueries({ queryKey: ['api'] });
      client.setQueryData(streamKey, false);
      if (source?.readyState === EventSource.CLOSED) retry = setTimeout(open, retryMs);
    });
    source.addEventListener('runs-changed', () => void client.invalidateQueries({ queryKey: ['api'] }));
    source.addEventListener('run-changed', ({ data }: MessageEvent<string>) => {
      const live = liveRunSchema.parse(JSON.parse(data));
      client.setQueryData(liveKey(live.run), live);
      noteContinuation(client, live);
      if (Date.now() - (lists.get(live.run) ?? 0) < listsMs) return;
      lists.set(live.run, Date.now());
      const part = `/runs/${encodeURIComponent(live.run)}`;
      void client.invalidateQueries({
        predicate: ({ queryKey: [kind, path] }) => kind === 'api' && String(path).startsWith(part),
      });
    });
    source.addEventListener('run-ended', ({ data }: MessageEvent<string>) => {
      const ended = endedRunSchema.parse(JSON.parse(data));
      client.setQueryData(liveKey(ended.run), null);
      noteContinuation(client, ended);
      void client.invalidateQueries({ queryKey: ['api'] });
    });
  };
  open();
  return () => {
    clearTimeout(retry);
    source?.close();
    client.setQueryData(streamKey, false);
  };
}

function noteContinuation(client: QueryClient, { run, continues }: Pick<LiveRun, 'run' | 'continues'>): void {
  if (continues !== undefined) client.setQueryData(continuationKey(continues), run);
}
