import type { RunObserver } from '../../evaluate/run/run-needs.ts';
import type { StopSignals } from '../../evaluate/run/limits/run-control.ts';

/** The events of a run that a worker passes on to the process that has started it. */
const events = [
  'onNotice',
  'onCalling',
  'onRecorded',
  'onStopped',
  'onJudged',
  'onScored',
  'onNotNeeded',
] as const satisfies readonly (keyof RunObserver)[];

type Event = (typeof events)[number];

/** An event with its value. */
interface Message {
  readonly event: Event;
  readonly value: unknown;
}

/** The milliseconds for which events are collected: a message costs more than most of what is in it. */
const collectMs = 100;

/** An observer that passes events on, in groups. Disposing of it passes the last ones on. */
export type PassingObserver = RunObserver & Disposable;

/** Creates the observer of a worker, which passes every event on. Calls that begin and end meanwhile are passed on as one number. */
export function createPassingObserver(send: (messages: readonly unknown[]) => void): PassingObserver {
  let waiting: Message[] = [];
  let calls = 0;
  let timer: NodeJS.Timeout | undefined;
  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    const messages = [...waiting, ...(calls === 0 ? [] : [{ event: 'onCalling', value: calls }])];
    [waiting, calls] = [[], 0];
    if (messages.length > 0) send(messages);
  };
  const flushSoon = () => {
    timer ??= setTimeout(flush, collectMs);
  };
  const pass =
    (event: Event) =>
    (value: unknown): void => {
      waiting.push({ event, value });
      flushSoon();
    };
  return {
    ...Object.fromEntries(events.map((event) => [event, pass(event)])),
    onCalling: (change) => {
      calls += change;
      flushSoon();
    },
    // Only its cost is counted; the whole trial comes with its scores.
    onRecorded: (trial) => pass('onRecorded')({ ...trial, transcript: [] }),
    [Symbol.dispose]: flush,
  };
}

/** Passes the messages of a worker on to the observer of the run. Returns by how much they change the number of calls in flight. */
export function passOn(messages: unknown, observer: RunObserver): number {
  let calls = 0;
  for (const { event, value } of Array.isArray(messages) ? (messages as readonly Message[]) : []) {
    if (!events.includes(event)) continue;
    observer[event]?.(value as never);
    if (event === 'onCalling') calls += value as number;
  }
  return calls;
}

/** Returns the signals that stop a worker: the signals of its parent, whose end it obeys, too. */
export function listenToParent(signals: StopSignals): StopSignals {
  const [stop, abort] = [new AbortController(), new AbortController()];
  process.on('message', (message) => {
    const { type } = message as { readonly type?: unknown };
    if (type === 'stop' || type === 'abort') stop.abort();
    if (type === 'abort') abort.abort();
  });
  // Answers that are on their way are still stored: the next process finds them.
  process.once('disconnect', () => stop.abort());
  return {
    stop: AbortSignal.any([signals.stop, stop.signal]),
    abort: AbortSignal.any([signals.abort, abort.signal]),
  };
}
