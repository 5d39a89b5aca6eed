import type { StopSignals } from '../evaluate/run/limits/run-control.ts';

/** The exit code after Ctrl-C that shells expect. */
export const interrupted = 130;

/**
 * The milliseconds within which two signals count as one: a parent process may forward a signal that the terminal has sent
 * to both processes.
 */
const doubledWithinMs = 50;

/**
 * Turns Ctrl-C into an orderly end: the first finishes the calls in flight, the second cancels them, the third ends the
 * process at once.
 * @param notify - Receives a message about the effect of the first and the second signal.
 * @param isCalling - Returns whether calls can be in flight yet.
 */
export function listenForInterrupts(
  notify: (message: string) => void,
  isCalling = () => true,
): StopSignals & { release(): void } {
  const stop = new AbortController();
  const abort = new AbortController();
  const release = countSignals((signals, signal) => {
    if (signals === 1) {
      const again = signal === 'SIGINT' ? 'Ctrl-C again' : 'A second signal';
      notify(isCalling() ? `Finishing the calls in flight. ${again} cancels them.` : 'Stopping.');
      stop.abort();
    } else if (signals === 2) {
      notify('Cancelling the calls in flight.');
      stop.abort();
      abort.abort();
    } else endProcess(interrupted);
  });
  return { stop: stop.signal, abort: abort.signal, release };
}

/**
 * Turns a signal into an orderly end of a worker, as those who operate it expect: the first finishes the calls in flight, and
 * cancels those that are left after some time; the second ends the process at once.
 * @param withinMs - The milliseconds for the calls in flight.
 */
export function listenForTermination(
  notify: (message: string) => void,
  withinMs: number,
): StopSignals & { release(): void } {
  const stop = new AbortController();
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const cancel = () => {
    notify('Cancelling the calls in flight.');
    abort.abort();
  };
  const release = countSignals((signals) => {
    if (signals > 1) endProcess(interrupted);
    notify(
      `Finishing the calls in flight, for ${Math.ceil(withinMs / 1000)} s at most. A second signal ends this worker at once.`,
    );
    stop.abort();
    timer = setTimeout(cancel, withinMs).unref();
  });
  return {
    stop: stop.signal,
    abort: abort.signal,
    release: () => {
      clearTimeout(timer);
      release();
    },
  };
}

/** The signals that ask for an end. Windows has two of its own: Ctrl-Break, and the closing of the window, which leaves ten seconds. */
const endingSignals: readonly NodeJS.Signals[] = [
  'SIGINT',
  'SIGTERM',
  ...(process.platform === 'win32' ? (['SIGBREAK', 'SIGHUP'] as const) : []),
];

/** Calls back with the number of each signal that asks this process to end. Returns a function that ends that. */
function countSignals(onSignal: (count: number, signal: NodeJS.Signals) => void): () => void {
  let signals = 0;
  let lastAt = -Infinity;
  const count = (signal: NodeJS.Signals) => {
    const now = performance.now();
    if (now - lastAt < doubledWithinMs) return;
    lastAt = now;
    signals += 1;
    onSignal(signals, signal);
  };
  for (const signal of endingSignals) process.on(signal, count);
  return () => {
    for (const signal of endingSignals) process.off(signal, count);
  };
}

// Saved before any user code is loaded, since user code may replace `process.exit`.
const exit = process.exit.bind(process);

/**
 * Ends the process with an exit code that no listener can change. The module of a target may clean up in an `exit`
 * listener, but must not turn a failed gate into success.
 */
export function endProcess(code: number): never {
  const listeners = process.rawListeners('exit');
  process.removeAllListeners('exit');
  process.exit = () => {
    throw new Error('the process is already ending');
  };
  for (const listener of listeners) {
    try {
      listener.call(process, code);
    } catch {
      // The process ends anyway, so a failing listener has no other effect.
    }
  }
  process.removeAllListeners('exit');
  return exit(code);
}
