/** The time after which a stream that was refused is tried again, in milliseconds. */
const retryMs = 10_000;
/** The names of the events that the server sends. */
const names = ['runs-changed', 'run-changed', 'run-ended'] as const;
/** The name of the lock, and of the channel, of the windows of a browser. */
const shared = 'touchstone-events';

/** A message of the stream: that it is open or not, or an event with its data. */
export interface StreamMessage {
  readonly name: 'open' | 'closed' | (typeof names)[number];
  readonly data: string;
}

/**
 * Follows the events of the server, and returns a function that ends it. A browser opens six connections to a server at most, so one of
 * the windows has the stream, and tells the others what comes: when it is closed or hidden, another one takes its place. Where windows
 * cannot talk to each other, each has a stream of its own.
 */
export function followEvents(onMessage: (message: StreamMessage) => void): () => void {
  // Both are there on this machine and over https alone.
  if (!('locks' in navigator)) return openStream(onMessage);
  const channel = new BroadcastChannel(shared);
  const over = new AbortController();
  /** What a window that joins has missed, where this one has the stream: its state, and the newest event of each run under way. */
  let told: Map<string, StreamMessage> | undefined;
  channel.onmessage = ({ data }: MessageEvent<StreamMessage | 'hello'>) => {
    if (data !== 'hello') onMessage(data);
    else if (told !== undefined) for (const message of told.values()) channel.postMessage(message);
  };
  channel.postMessage('hello');
  const lead = async (): Promise<void> => {
    const kept = new Map<string, StreamMessage>();
    told = kept;
    const close = openStream((message) => {
      keep(kept, message);
      channel.postMessage(message);
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

/** Keeps what a window that joins later has to know. */
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
