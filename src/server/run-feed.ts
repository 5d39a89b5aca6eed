import { randomBytes } from 'node:crypto';
import { TouchstoneError } from '../core/errors.ts';
import { createLiveRunReader, type LiveRunReader } from '../look/queries/live-run.ts';
import { runState } from '../look/report/rows/run-row.ts';
import { isEnded } from '../evaluate/run/prepare/is-ended.ts';
import type { RunEvent } from '../core/schema/api/live-run.ts';
import type { Run } from '../core/schema/run.ts';
import type { RunHead } from '../core/schema/api/run-head.ts';
import type { Store } from '../stores/store.ts';

/** An event with its id, from which a listener can continue. */
export type FeedEvent = RunEvent & { readonly id: string };

/** A listener of a feed. */
export interface FeedListener {
  readonly onEvent: (event: FeedEvent) => void;
  /** Called when there was no event for a while. */
  readonly onQuiet: () => void;
  /** Called when the feed ends because the store cannot be read. */
  readonly onEnd: () => void;
}

/** The changes of the runs in a store, most of which other processes make. */
export interface RunFeed {
  /**
   * Adds a listener, which is first sent what has changed since the event with the given id; without an id, the runs under
   * way and what has changed in the last seconds. Throws `server-busy` when there are too many.
   */
  listen(listener: FeedListener, choices?: ListenChoices): Listening;
}

/** The choices of a listener. */
export interface ListenChoices {
  /** The id of the last event that it has had. */
  readonly lastId?: string;
  /** The person or program that listens, of whom there may be only a few: others need room, too. */
  readonly person?: string;
}

/** A listener that was added. */
export interface Listening {
  /** The id of the newest event. */
  readonly lastId: string;
  /** Removes the listener. */
  stop(): void;
}

/** The pause between two readings of the store, in milliseconds. */
const pauseMs = 1000;
/** The number of readings without an event after which the listeners hear that the feed still works. */
const quietReadings = 15;
const mostListeners = 64;
/** The most listeners of one person: the pages that a browser shows at a time, and some more. */
const mostOfPerson = 12;
/** The time that a page may take from asking for its data until it listens, in milliseconds. */
const startMs = 10_000;
/** The newest runs, of which a start, a change or an end is noticed. */
const mostRuns = 200;

/**
 * Creates a feed over a store. The store is read once a second, and only while there are listeners; while nothing was
 * written and no run is under way, only its version is read.
 */
export function createRunFeed(openStore: () => Promise<Store>): RunFeed {
  const listeners = new Map<FeedListener, string | undefined>();
  const history = createHistory();
  const watcher = createWatcher();
  let timer: NodeJS.Timeout | undefined;
  let isReading = false;
  let quiet = 0;

  const read = async (): Promise<void> => {
    isReading = true;
    try {
      const events = (await watcher.read(await openStore())).map(history.add);
      quiet = events.length === 0 ? quiet + 1 : 0;
      for (const listener of listeners.keys()) for (const event of events) listener.onEvent(event);
      if (quiet > 0 && quiet % quietReadings === 0) for (const { onQuiet } of listeners.keys()) onQuiet();
    } catch {
      // The pages ask again without the feed, and show why the store cannot be read.
      for (const { onEnd } of listeners.keys()) onEnd();
    }
    isReading = false;
    if (listeners.size > 0) timer = setTimeout(() => void read(), pauseMs).unref();
  };

  return {
    listen: (listener, { lastId, person } = {}) => {
      if (listeners.size >= mostListeners) {
        throw new TouchstoneError('server-busy', `${mostListeners} pages are open already.`);
      }
      const own = Array.from(listeners.values()).filter((each) => each === person).length;
      if (person !== undefined && own >= mostOfPerson) {
        throw new TouchstoneError('server-busy', `${mostOfPerson} pages of ${person} are open already.`, {
          remedy: 'Close some of them.',
        });
      }
      const missed = lastId === undefined ? history.recent() : history.since(lastId);
      for (const event of missed) listener.onEvent(event);
      listeners.set(listener, person);
      if (listeners.size === 1 && !isReading) void read();
      const stop = () => {
        listeners.delete(listener);
        if (listeners.size === 0) clearTimeout(timer);
      };
      return { lastId: history.lastId(), stop };
    },
  };
}

/**
 * Creates the memory of a feed: the newest event of each kind of each run. That is enough for a listener that has missed
 * some, since an event describes a state and not a step.
 */
function createHistory() {
  const feed = randomBytes(6).toString('base64url');
  const newest = new Map<
    string,
    { readonly number: number; readonly atMs: number; readonly event: FeedEvent }
  >();
  let count = 0;
  const lastId = () => `${feed}-${count}`;
  const keyOf = ({ name, data }: RunEvent) => `${name} ${data?.run}`;
  return {
    add: (event: RunEvent): FeedEvent => {
      count += 1;
      const kept = { ...event, id: lastId() };
      if (event.name === 'run-ended') newest.delete(`run-changed ${event.data.run}`);
      newest.delete(keyOf(event));
      newest.set(keyOf(event), { number: count, atMs: performance.now(), event: kept });
      return kept;
    },
    lastId,
    /** Returns the events of the runs under way, and the events of the last seconds. */
    recent: (): FeedEvent[] =>
      Array.from(newest.values())
        .filter(({ event, atMs }) => event.name === 'run-changed' || performance.now() - atMs < startMs)
        .map(({ event }) => event),
    /** Returns what came after an event; after one of another server, that everything may have changed. */
    since: (id: string): FeedEvent[] => {
      const [of, number] = [id.slice(0, id.lastIndexOf('-')), Number(id.slice(id.lastIndexOf('-') + 1))];
      if (of !== feed) return [{ name: 'runs-changed', data: null, id: lastId() }];
      return Array.from(newest.values())
        .filter((one) => one.number > number)
        .map(({ event }) => event);
    },
  };
}

/** Creates a watcher that finds what has changed in a store since it was last read. */
function createWatcher() {
  const readers = new Map<string, LiveRunReader>();
  let version: string | undefined;
  let known: ReadonlyMap<string, RunHead['status']> | undefined;

  /** Returns the events of runs that may be under way: what they have done, or that they have ended. */
  async function readActive(ids: Iterable<string>, store: Store): Promise<RunEvent[]> {
    const events: RunEvent[] = [];
    for (const id of ids) {
      const run = await store.readRun(id);
      const state = run && runState(run, await isEnded(run, store));
      if (run !== undefined && (state === 'planning' || state === 'running' || state === 'importing')) {
        const reader = readers.get(id) ?? createLiveRunReader(store);
        readers.set(id, reader);
        events.push({ name: 'run-changed', data: await reader.read(run, state) });
      } else if (readers.delete(id)) events.push({ name: 'run-ended', data: endOf(id, run) });
    }
    return events;
  }

  return {
    read: async (store: Store): Promise<RunEvent[]> => {
      const now = await store.readVersion();
      if (now === version) return await readActive([...readers.keys()], store);
      version = now;
      const heads = await store.listRuns({ limit: mostRuns });
      const [before, after] = [known, new Map(heads.map(({ id, status }) => [id, status]))];
      known = after;
      const unfinished = heads.filter(({ status }) => status === 'planning' || status === 'running');
      const events = await readActive(new Set([...unfinished.map(({ id }) => id), ...readers.keys()]), store);
      // A run may begin and end between two readings, or end before the first. One that was read before its process had claimed it seemed
      // to be killed.
      const said = new Set(events.map(({ data }) => data?.run));
      const isNews = ({ id, status, finishedAt = '' }: RunHead) =>
        status === 'completed' &&
        !said.has(id) &&
        (before === undefined
          ? Date.now() - Date.parse(finishedAt) < startMs
          : before.get(id) !== 'completed');
      for (const head of heads.filter(isNews)) {
        events.push({ name: 'run-ended', data: endOf(head.id, head) });
      }
      if (before === undefined) return events;
      const isChanged =
        before.size !== after.size || heads.some(({ id, status }) => before.get(id) !== status);
      return isChanged ? [{ name: 'runs-changed', data: null }, ...events] : events;
    },
  };
}

function endOf(run: string, head: Pick<Run, 'continues'> | undefined) {
  return { run, continues: head?.continues };
}
