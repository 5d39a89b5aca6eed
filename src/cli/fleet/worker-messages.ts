import type { RunObserver } from '../../run/run-needs.ts';
import type { StopSignals } from '../../run/limits/run-control.ts';

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

/** Creates the observer of a worker, which passes every event on. */
export function createPassingObserver(send: (message: unknown) => void): RunObserver {
  const pass =
    (event: Event) =>
    (value: unknown): void =>
      send({ event, value });
  return {
    ...Object.fromEntries(events.map((event) => [event, pass(event)])),
    // Only its cost is counted; the whole trial comes with its scores.
    onRecorded: (trial) => send({ event: 'onRecorded', value: { ...trial, transcript: [] } }),
  };
}

/** Passes a message of a worker on to the observer of the run. Returns by how much it changes the number of calls in flight. */
export function passOn(message: unknown, observer: RunObserver): number {
  const { event, value } = message as { readonly event: Event; readonly value: never };
  if (!events.includes(event)) return 0;
  observer[event]?.(value);
  return event === 'onCalling' ? value : 0;
}

/** Returns the signals that stop a worker: those of its parent, which it also obeys when that ends. */
export function listenToParent(given: StopSignals): StopSignals {
  const [stop, abort] = [new AbortController(), new AbortController()];
  process.on('message', (message) => {
    const { type } = message as { readonly type?: unknown };
    if (type === 'stop' || type === 'abort') stop.abort();
    if (type === 'abort') abort.abort();
  });
  // Answers that are on their way are still stored: the next process finds them.
  process.once('disconnect', () => stop.abort());
  return {
    stop: AbortSignal.any([given.stop, stop.signal]),
    abort: AbortSignal.any([given.abort, abort.signal]),
  };
}
