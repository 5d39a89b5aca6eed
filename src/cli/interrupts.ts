import type { StopSignals } from '../run/limits/run-control.ts';

/** The exit code after Ctrl-C, as shells expect it. */
export const interrupted = 130;

/** Milliseconds within which a signal counts once: the process that started us may pass on a signal that the terminal has sent to both. */
const doubledWithinMs = 50;

/**
 * Turns Ctrl-C into an orderly end: the first finishes what is in flight, the second cancels it, the third gives up.
 * @param tell - Told what the first and the second do.
 * @param isCalling - Whether anything can be in flight yet.
 */
export function listenForInterrupts(
  tell: (message: string) => void,
  isCalling = () => true,
): StopSignals & { release(): void } {
  const stop = new AbortController();
  const abort = new AbortController();
  let signals = 0;
  let lastAt = -Infinity;
  const onSignal = (signal: NodeJS.Signals) => {
    const now = performance.now();
    if (now - lastAt < doubledWithinMs) return;
    lastAt = now;
    signals += 1;
    if (signals === 1) {
      const again = signal === 'SIGINT' ? 'Ctrl-C again' : 'A second signal';
      tell(isCalling() ? `Finishing what is in flight. ${again} cancels it.` : 'Stopping.');
      stop.abort();
    } else if (signals === 2) {
      tell('Cancelling what is in flight.');
      stop.abort();
      abort.abort();
    } else endProcess(interrupted);
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  return {
    stop: stop.signal,
    abort: abort.signal,
    release: () => {
      process.off('SIGINT', onSignal);
      process.off('SIGTERM', onSignal);
    },
  };
}

// Taken before code of anybody else is loaded, which may put something else in its place.
const exit = process.exit.bind(process);

/**
 * Ends the process with an exit code that nobody changes any more. A module of a target may have something to tidy up when
 * the process ends; that it ends well is not for it to say, even where the gate has failed.
 */
export function endProcess(code: number): never {
  const listeners = process.rawListeners('exit');
  process.removeAllListeners('exit');
  process.exit = () => {
    throw new Error('the process is ending already');
  };
  for (const listener of listeners) {
    try {
      listener.call(process, code);
    } catch {
      // It was the last thing that it did.
    }
  }
  process.removeAllListeners('exit');
  return exit(code);
}
