import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { endedRunSchema, type LiveRun, liveRunSchema } from '../../../src/core/schema/api/live-run.ts';
import { streamKey } from './use-answer.ts';

/** The least time between two updates of the lists of a run under way, in milliseconds. */
const listsMs = 5000;

/** The time after which a stream that was refused is tried again, in milliseconds. */
const retryMs = 10_000;
/** The names of the events that the server sends. */
const names = ['runs-changed', 'run-changed', 'run-ended'] as const;
/** The name of the lock, and of the channel, of the windows of a browser. */
const shared = 'touchstone-events';

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

/** A message of the stream: that it is open or not, or an event with its data. */
interface StreamMessage {
  readonly name: 'open' | 'closed' | (typeof names)[number];
  readonly data: string;
}

/**
 * Follows the events of the server, and returns a function that ends it. A browser opens six connections to a server at most, so one of
 * the windows has the stream, and passes on to the others what comes: when it is closed or hidden, another one takes its place. Where windows
 * cannot talk to each other, each has a stream of its own.
 */
function followEvents(onMessage: (message: StreamMessage) => void): () => void {
  // Both are there on this machine and over https alone.
  if (!('locks' in navigator)) return openStream(onMessage);
  const channel = new BroadcastChannel(shared);
  const over = new AbortController();
  /** The messages for a window that joins, where this one has the stream: its state, and the newest event of each run under way. */
  let told: Map<string, StreamMessage> | undefined;
  // The windows of a channel have one origin.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  const tell = (message: StreamMessage | 'hello') => channel.postMessage(message);
  channel.addEventListener('message', ({ data }: MessageEvent<StreamMessage | 'hello'>) => {
    if (data === 'hello') for (const message of told?.values() ?? []) tell(message);
    else onMessage(data);
  });
  tell('hello');
  const lead = async (): Promise<void> => {
    const kept = new Map<string, StreamMessage>();
    told = kept;
    const close = openStream((message) => {
      keep(kept, message);
      tell(message);
      onMessage(message);
    });
    await new Promise((resolve) => over.signal.addEventListener('abort', resolve, { once: true }));
    close();
  };
  // Refused when this window no longer follows before its turn has come.
  navigator.locks.request(shared, { signal: over.signal }, lead).catch(() => {});
  return () => {
    over.abort();
    told = undefined;
    channel.close();
  };
}

/** Keeps the messages for windows that join later. */
function keep(kept: Map<string, StreamMessage>, message: StreamMessage): void {
  if (message.name === 'open' || message.name === 'closed') kept.set('state', message);
  else if (message.name !== 'runs-changed') {
    const run = String((JSON.parse(message.data) as { readonly run?: unknown }).run);
    if (message.name === 'run-changed') kept.set(run, message);
    else kept.delete(run);
  }
}

/** Opens a stream, which reconnects by itself, and returns a function that closes it. */
function openStream(onMessage: (message: StreamMessage) => void): () => void {
  let retry: ReturnType<typeof setTimeout> | undefined;
  let source: EventSource | undefined;
  const open = (): void => {
    source = new EventSource('/api/events');
    source.addEventListener('open', () => onMessage({ name: 'open', data: '' }));
    source.addEventListener('error', () => {
      onMessage({ name: 'closed', data: '' });
      if (source?.readyState === EventSource.CLOSED) retry = setTimeout(open, retryMs);
    });
    for (const name of names)
      source.addEventListener(name, ({ data }: MessageEvent<string>) => onMessage({ name, data }));
  };
  open();
  return () => {
    clearTimeout(retry);
    source?.close();
  };
}
